import type { Clock } from "../ports.ts";
import type { Flight } from "./flight.ts";

/** Effects that do nothing but wait, so nothing is lost when they are dropped. */
const PASSIVE: ReadonlySet<string> = new Set(["person", "timer"]);
/** How long effects may take to end after their abort, milliseconds. */
const LEAVE_GRACE = 15_000;

/** The effects in flight, by their ids. */
export class Flights {
  readonly #flights = new Map<string, Flight>();

  has(id: string): boolean {
    return this.#flights.has(id);
  }

  /** Whether any effect of this kind is in flight. */
  hasKind(kind: string): boolean {
    for (const flight of this.#flights.values()) if (flight.effect.kind === kind) return true;
    return false;
  }

  get size(): number {
    return this.#flights.size;
  }

  /** Whether nothing is in flight but what only waits. */
  get passive(): boolean {
    for (const flight of this.#flights.values()) if (!PASSIVE.has(flight.effect.kind)) return false;
    return true;
  }

  add(flight: Flight): void {
    this.#flights.set(flight.effect.id, flight);
  }

  /** Takes out a flight that is over; one that was dropped for a newer of the same id is not there any more. */
  land(flight: Flight): void {
    if (this.#flights.get(flight.effect.id) === flight) this.#flights.delete(flight.effect.id);
  }

  /** Aborts what is not wanted. A recovery is left alone: the log waits for what it finds. */
  keepOnly(wanted: ReadonlySet<string>): void {
    for (const [id, flight] of this.#flights) {
      if (wanted.has(id) || flight.recovering) continue;
      flight.abort();
      if (PASSIVE.has(flight.effect.kind)) this.#flights.delete(id);
    }
  }

  abortAll(): void {
    for (const flight of this.#flights.values()) flight.abort();
  }

  /** Aborts all and waits until they have ended, but not for ever. */
  async end(clock: Clock): Promise<void> {
    this.abortAll();
    if (this.passive) return;
    const enough = new AbortController();
    const ended = Promise.all([...this.#flights.values()].map((flight) => flight.promise));
    await Promise.race([ended, clock.sleep(LEAVE_GRACE, enough.signal)]);
    enough.abort();
  }
}
