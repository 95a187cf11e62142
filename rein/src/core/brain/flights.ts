import type { Clock } from "../ports.ts";
import type { Flight } from "./flight.ts";

/** Effects that do nothing but wait, so nothing is lost when they are dropped. */
const PASSIVE: ReadonlySet<string> = new Set(["person", "timer"]);
/** How long effects may take to end after their abort, milliseconds. */
const LEAVE_GRACE = 15_000;

/** The effects in flight. They are few, and an array is cheaper than a map that is filled and emptied all the time. */
export class Flights {
  #flights: Flight[] = [];

  has(id: string): boolean {
    for (const flight of this.#flights) if (flight.effect.id === id) return true;
    return false;
  }

  /** Whether any effect of this kind is in flight. */
  hasKind(kind: string): boolean {
    return this.#flights.some((flight) => flight.effect.kind === kind);
  }

  get size(): number {
    return this.#flights.length;
  }

  /** Whether nothing is in flight but what only waits. */
  get passive(): boolean {
    return this.#flights.every((flight) => PASSIVE.has(flight.effect.kind));
  }

  /** Takes a flight in, in the place of one with the same id. */
  add(flight: Flight): void {
    const place = this.#flights.findIndex((other) => other.effect.id === flight.effect.id);
    if (place >= 0) this.#flights.splice(place, 1);
    this.#flights.push(flight);
  }

  /** Takes out a flight that is over; one that was dropped for a newer of the same id is not there any more. */
  land(flight: Flight): void {
    const place = this.#flights.indexOf(flight);
    if (place >= 0) this.#flights.splice(place, 1);
  }

  /** Aborts what is not wanted. A recovery is left alone: the log waits for what it finds. */
  keepOnly(wanted: ReadonlySet<string>): void {
    const unwanted = this.#flights.filter((flight) => !wanted.has(flight.effect.id) && !flight.recovering);
    if (unwanted.length === 0) return;
    this.#flights = this.#flights.filter((flight) => !unwanted.includes(flight) || !PASSIVE.has(flight.effect.kind));
    for (const flight of unwanted) flight.abort();
  }

  abortAll(): void {
    for (const flight of this.#flights) flight.abort();
  }

  /** Aborts all and waits until they have ended, but not for ever. */
  async end(clock: Clock): Promise<void> {
    this.abortAll();
    if (this.passive) return;
    const enough = new AbortController();
    const ended = Promise.all(this.#flights.map((flight) => flight.promise));
    await Promise.race([ended, clock.sleep(LEAVE_GRACE, enough.signal)]);
    enough.abort();
  }
}
