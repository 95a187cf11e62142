import { errorOfThrown, isStoreFault, ok, type ReinError, type Result } from "../errors.ts";
import type { Clock } from "../ports.ts";
import type { NewEvent } from "../session/event.ts";
import type { Effect, EffectContext, State } from "../session/part.ts";
import type { Lease, Store } from "../session/store.ts";
import { StopSignal } from "../stop-signal.ts";
import type { PartQueue } from "./part-queue.ts";
import { failedEvent } from "./round.ts";

/** What flights share with their driver. */
export interface FlightHost {
  readonly store: Store;
  readonly clock: Clock;
  readonly session: string;
  readonly lease: Lease;
  readonly load: EffectContext["load"];
  readonly queue: PartQueue;
  readonly state: () => State;
  readonly append: (events: readonly NewEvent[]) => Promise<Result<void>>;
  readonly finished: (flight: Flight, events: readonly NewEvent[]) => void;
  /** The store does not take what must be kept. */
  readonly fault: (error: ReinError) => void;
}

const NOTHING = Promise.resolve();

/** A class, because each object literal with a getter has a hidden class of its own, which only a full garbage collection takes away. */
class FlightContext implements EffectContext {
  readonly clock: Clock;
  readonly session: string;
  readonly state: EffectContext["state"];
  readonly load: EffectContext["load"];
  readonly append: EffectContext["append"];
  readonly emit: EffectContext["emit"];
  readonly scratch: EffectContext["scratch"];
  readonly saved: string | null;
  readonly stop: StopSignal;

  constructor(
    host: FlightHost,
    saved: string | null,
    stop: StopSignal,
    emit: EffectContext["emit"],
    scratch: EffectContext["scratch"],
  ) {
    this.clock = host.clock;
    this.session = host.session;
    this.state = host.state;
    this.load = host.load;
    this.append = host.append;
    this.emit = emit;
    this.scratch = scratch;
    this.saved = saved;
    this.stop = stop;
  }

  get signal(): AbortSignal {
    return this.stop.signal;
  }
}

/** An effect in progress. */
export class Flight {
  readonly effect: Effect;
  /** A recovery is never aborted for being unwanted: the log waits for what it finds. */
  readonly recovering: boolean;
  readonly context: EffectContext;
  wroteScratch = false;
  promise = NOTHING;
  readonly #host: FlightHost;
  readonly #stop = new StopSignal();
  #over = false;
  /** The keeping of text that is under way. */
  #keeping: Promise<unknown> | null = null;

  constructor(host: FlightHost, effect: Effect, saved: string | null = null, recovering = false) {
    this.#host = host;
    this.effect = effect;
    this.recovering = recovering;
    this.wroteScratch = saved !== null;
    this.context = new FlightContext(
      host,
      saved,
      this.#stop,
      (part) => (this.#over ? undefined : host.queue.push(part)),
      (text) => this.#scratch(text),
    );
  }

  /** Sets it going; what will have much to say, not before the caller of `run` has room for it. A timer and a recovery wait for no reader. */
  launch(go: () => Promise<readonly NewEvent[]>): void {
    this.promise = this.#run(go);
  }

  abort(): void {
    this.#stop.abort();
  }

  async #run(go: () => Promise<readonly NewEvent[]>): Promise<void> {
    let events: readonly NewEvent[];
    try {
      const waits = !this.recovering && this.effect.kind !== "timer";
      const room = waits ? this.#host.queue.room() : undefined;
      if (room !== undefined) await Promise.race([room, aborted(this.#stop)]);
      events = await go();
    } catch (thrown) {
      const error = errorOfThrown(thrown, "internal", "The effect failed; the cause stands in the message.");
      // What an earlier life left behind is looked into by the next one, rather than closed unseen.
      const later = this.recovering && isStoreFault(error);
      if (later) this.#host.fault(error);
      events = later ? [] : [failedEvent(this.effect, error)];
    }
    this.#over = true;
    // The commit of the outcome deletes the row; it must not come back behind it.
    if (this.#keeping !== null) await this.#keeping;
    this.#host.finished(this, events);
  }

  async #scratch(text: string): Promise<Result<void>> {
    if (this.#over) return ok(undefined);
    this.wroteScratch = true;
    const { store, session, lease, fault } = this.#host;
    const tokens = [{ session, token: lease.token }];
    const keeping = store.commit({ tokens, scratch: [{ session, key: this.effect.id, value: text }] });
    this.#keeping = keeping;
    const kept = await keeping;
    if (kept.ok) return ok(undefined);
    if (kept.error.class !== "transient") fault(kept.error);
    return kept;
  }
}

function aborted(stop: StopSignal): Promise<void> {
  return new Promise((resolve) => void stop.onAbort(resolve));
}
