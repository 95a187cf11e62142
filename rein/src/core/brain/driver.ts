/**
 * The driver makes the world match what is wanted: it folds what happened, asks the rules, commits, and only then starts effects and
 * aborts those that are no longer wanted. It decides nothing itself.
 */
import { channel } from "node:diagnostics_channel";
import { ok, type ReinError, type Result, reinError } from "../errors.ts";
import { textOf } from "../message/message.ts";
import type { Clock, Redact } from "../ports.ts";
import type { Composition } from "../session/compose.ts";
import type { NewEvent, SessionEvent } from "../session/event.ts";
import type { EndReason } from "../session/kernel-events.ts";
import { saveSnapshotWhenWorth } from "../session/open-session.ts";
import type { Effect, Runner, Started, State } from "../session/part.ts";
import { isKernelEvent } from "../session/reduce-kernel.ts";
import type { Commit, InboxEntry, Lease, Store } from "../session/store.ts";
import type { StreamPart } from "../session/stream.ts";
import { commandEvent } from "./command-event.ts";
import { EventCache } from "./event-cache.ts";
import { Flight, type FlightHost } from "./flight.ts";
import { keepLease, LEASE_TTL } from "./lease-keeper.ts";
import type { PartQueue } from "./part-queue.ts";
import { partsOfEvent } from "./parts-of-event.ts";
import { playRound, type Round } from "./round.ts";
import { roundCommit } from "./round-commit.ts";

/** What a driver works with. */
export interface DriverOptions {
  readonly store: Store;
  readonly composition: Composition;
  readonly clock: Clock;
  readonly redact: Redact;
  readonly lease: Lease;
  /** The folded log. */
  readonly state: State;
  readonly queue: PartQueue;
  /** Stay while a person must answer, instead of giving the session back. Default false. */
  readonly stay?: boolean;
  readonly leaseTtl?: number;
}

/** How a drive ended. `lost`: another process took the session. */
export interface DriveEnd {
  readonly reason: EndReason | "waiting" | "paused" | "idle" | "lost";
  readonly error?: ReinError;
  readonly state: State;
  /** Text of the newest assistant message of this drive. */
  readonly text: string;
}

interface Mail {
  readonly events: readonly NewEvent[];
  readonly flight?: Flight;
  readonly done?: (result: Result<void>) => void;
}

/** Ends after which an input that came too late for the run starts the next one at once. */
const GOES_ON: ReadonlySet<string> = new Set(["done", "goal_reached", "goal_missed", "stopped"]);
/** Effects that do nothing but wait, so nothing is lost when they are dropped. */
const PASSIVE: ReadonlySet<string> = new Set(["person", "timer"]);
/** Channel on which each end is told, with store, composition and state; for tests and tools. */
export const DRIVE_END = channel("rein:brain:end");
/** How long effects may take to end after their abort, milliseconds. */
const LEAVE_GRACE = 10_000;

/** Drives one session while this process holds its lease. */
export class Driver {
  readonly #options: DriverOptions;
  readonly #session: string;
  readonly #cache: EventCache;
  readonly #runners: ReadonlyMap<string, Runner>;
  readonly #flights = new Map<string, Flight>();
  readonly #host: FlightHost;
  #state: State;
  #committed: number;
  #mail: Mail[] = [];
  #inbox = true;
  #poke: () => void = () => undefined;
  #stopped: { reason: "failed" | "lost"; error: ReinError } | null = null;
  #leaving = false;
  #text = "";
  /** Parts of a round, told once it is committed. */
  readonly #parts: StreamPart[] = [];
  #newEvents = 0;

  constructor(options: DriverOptions) {
    this.#options = options;
    this.#state = options.state;
    this.#session = options.lease.session;
    this.#committed = options.state.kernel.seq;
    this.#runners = options.composition.runners();
    this.#cache = new EventCache(options.store, options.composition, this.#session);
    this.#host = {
      ...options,
      session: this.#session,
      cache: this.#cache,
      state: () => this.#state,
      append: (events) => new Promise((done) => this.#post({ events, done })),
      finished: (flight, events) => this.#post({ events, flight }),
    };
  }

  /** The caller has left: the run is interrupted and the session given back. */
  leave(): void {
    this.#leaving = true;
    const events: NewEvent[] = this.#state.kernel.run.active
      ? [{ type: "run.interrupted", data: { commandId: null, by: "caller" } }]
      : [];
    this.#post({ events });
  }

  /** Takes the session up with these first events and drives it until it ends, waits or is taken away. */
  async run(first: readonly NewEvent[]): Promise<DriveEnd> {
    const { store, clock, lease, leaseTtl = LEASE_TTL } = this.#options;
    const unwatch = store.watch((change) => {
      if (change.kind === "elsewhere" || (change.kind === "inbox" && change.stream === this.#session))
        this.#noticeInbox();
    });
    const letGo = keepLease(store, clock, lease, leaseTtl, (error) => this.#stop("lost", error));
    const recoveries = await this.#recoveries();
    this.#mail.unshift({ events: first });
    try {
      for (let fresh = recoveries; ; fresh = []) {
        const end = await this.#step(fresh);
        if (end !== null) return await this.#end(end);
      }
    } finally {
      letGo();
      unwatch();
    }
  }

  /** Effects that an earlier life began: each is looked into before anything is decided about it. */
  async #recoveries(): Promise<readonly Flight[]> {
    const saved = await this.#options.store.scratch(this.#session);
    if (!saved.ok) this.#stop("failed", saved.error);
    const texts = saved.ok ? saved.value : {};
    const begun = this.#options.composition.parts.flatMap((part) => part.begun?.(this.#state) ?? []);
    const flights = begun.map((effect) => {
      const text = Object.hasOwn(texts, effect.id) ? (texts[effect.id] ?? null) : null;
      return new Flight(this.#host, effect, text, true);
    });
    for (const flight of flights) this.#flights.set(flight.effect.id, flight);
    return flights;
  }

  async #step(recoveries: readonly Flight[]): Promise<DriveEnd["reason"] | null> {
    if (this.#mail.length === 0 && !this.#inbox && this.#stopped === null) await this.#nextNews();
    if (this.#stopped !== null) return this.#stopped.reason;
    const commands = await this.#takeInbox();
    const mail = this.#mail.splice(0);
    for (const { flight } of mail) if (flight !== undefined) this.#flights.delete(flight.effect.id);
    const { composition, lease, clock } = this.#options;
    const at = clock.now();
    const round = this.#play(mail, commands, at);
    this.#state = round.state;
    const finished = mail.flatMap(({ flight }) => flight ?? []);
    const commit = roundCommit(composition, lease, this.#committed, at, round, finished, commands);
    const committed = await this.#commit(commit, round);
    for (const { done } of mail) done?.(committed);
    const parts = this.#parts.splice(0);
    if (!committed.ok) return this.#stop(lostOr(committed.error), committed.error);
    for (const part of parts) this.#options.queue.post(part);
    this.#launch(round, recoveries);
    return round.ended ? this.#afterEnd() : this.#atRest();
  }

  #play(mail: readonly Mail[], commands: readonly InboxEntry[], at: number): Round {
    const { composition, redact } = this.#options;
    const context = {
      composition,
      redact,
      at,
      isInFlight: (id: string) => this.#flights.has(id),
      start: (effect: Effect, state: State) => this.#start(effect, state),
      folded: (event: SessionEvent, before: State, after: State) => {
        this.#cache.keep(event);
        if (isKernelEvent(event) && event.type === "model.responded") this.#text = textOf(event.data.content);
        this.#parts.push(...partsOfEvent(before, after, event));
      },
    };
    const taken = commands.map((command) => (state: State) => commandEvent(state, command));
    const decideToo = !this.#leaving || this.#state.kernel.run.active;
    return playRound(context, this.#state, [...mail.flatMap((entry) => entry.events), ...taken], decideToo);
  }

  #start(effect: Effect, state: State): Started | null {
    const runner = this.#runners.get(effect.kind);
    if (runner === undefined) return null;
    this.#state = state;
    const flight = new Flight(this.#host, effect);
    const started = runner.start(effect, flight.context, (seq) => this.#cache.recent(seq));
    if (started.outcome === undefined) this.#flights.set(effect.id, flight);
    return started;
  }

  async #commit(commit: Commit | null, round: Round): Promise<Result<void>> {
    if (commit === null) return ok(undefined);
    const committed = await this.#options.store.commit(commit);
    if (!committed.ok) return committed;
    // What came before a new message is in the prompt by now; what is needed later is read back.
    if (round.events.some((event) => event.type === "model.responded")) this.#cache.forgetBelow(this.#committed + 1);
    this.#committed += round.events.length;
    this.#newEvents += round.events.length;
    return ok(undefined);
  }

  #launch(round: Round, recoveries: readonly Flight[]): void {
    for (const flight of recoveries) {
      const runner = this.#runners.get(flight.effect.kind);
      flight.launch(async () => (await runner?.recover?.(flight.effect, flight.context)) ?? []);
    }
    for (const { effect, started } of round.starts) {
      if (started.go !== undefined) this.#flights.get(effect.id)?.launch(started.go);
    }
    if (round.wanted === null) return;
    for (const [id, flight] of this.#flights) {
      if (round.wanted.has(id) || flight.recovering) continue;
      flight.abort();
      if (PASSIVE.has(flight.effect.kind)) this.#flights.delete(id);
    }
  }

  async #afterEnd(): Promise<DriveEnd["reason"] | null> {
    const reason = this.#state.kernel.run.ended?.reason ?? "done";
    if (GOES_ON.has(reason) && !this.#leaving && this.#state.kernel.pending.length > 0) this.#inbox = true;
    else if (await this.#release()) return reason;
    this.#leaving = this.#leaving || !GOES_ON.has(reason);
    return null;
  }

  /** Whether nothing but a person, or a command, can move the session. */
  async #atRest(): Promise<DriveEnd["reason"] | null> {
    if (this.#mail.length > 0 || this.#inbox || this.#stopped !== null) return null;
    const kinds = [...this.#flights.values()].map((flight) => flight.effect.kind);
    const { run, paused } = this.#state.kernel;
    const waits = kinds.includes("person") && kinds.every((kind) => PASSIVE.has(kind));
    if (!waits && kinds.length > 0) return null;
    if (waits && this.#options.stay === true) return null;
    if (!(await this.#release())) return null;
    if (waits) return "waiting";
    if (paused) return "paused";
    return run.active ? "waiting" : (run.ended?.reason ?? "idle");
  }

  /** Gives the lease back; false when a command came in between. */
  async #release(): Promise<boolean> {
    const { store, lease } = this.#options;
    await saveSnapshotWhenWorth(store, this.#options.composition, this.#state, this.#newEvents);
    const released = await store.commit({ release: [{ session: this.#session, token: lease.token }] });
    if (released.ok) return true;
    if (released.error.code === "conflict") this.#inbox = true;
    else this.#stop(lostOr(released.error), released.error);
    return false;
  }

  async #end(reason: DriveEnd["reason"]): Promise<DriveEnd> {
    for (const flight of this.#flights.values()) flight.abort();
    const ends = Promise.all([...this.#flights.values()].map((flight) => flight.promise));
    const enough = new AbortController();
    await Promise.race([ends, this.#options.clock.sleep(LEAVE_GRACE, enough.signal)]);
    enough.abort();
    const gone = reinError("lease_lost", "The session is no longer driven here.", "Open it again.");
    for (const { done } of this.#mail.splice(0)) done?.({ ok: false, error: gone });
    const error = this.#stopped?.error ?? this.#state.kernel.run.ended?.error;
    const state = this.#state;
    DRIVE_END.publish({
      store: this.#options.store,
      composition: this.#options.composition,
      state,
      clean: this.#stopped === null,
    });
    return error === undefined ? { reason, state, text: this.#text } : { reason, error, state, text: this.#text };
  }

  #stop(reason: "failed" | "lost", error: ReinError): "failed" | "lost" {
    this.#stopped ??= { reason, error };
    for (const flight of this.#flights.values()) flight.abort();
    this.#poke();
    return this.#stopped.reason;
  }

  async #takeInbox(): Promise<readonly InboxEntry[]> {
    if (!this.#inbox) return [];
    this.#inbox = false;
    const entries = await this.#options.store.inbox(this.#session);
    if (entries.ok) return entries.value;
    this.#stop("failed", entries.error);
    return [];
  }

  #noticeInbox(): void {
    this.#inbox = true;
    this.#poke();
  }

  #post(mail: Mail): void {
    this.#mail.push(mail);
    this.#poke();
  }

  #nextNews(): Promise<void> {
    return new Promise((resolve) => {
      this.#poke = resolve;
    });
  }
}

function lostOr(error: ReinError): "failed" | "lost" {
  return error.code === "lease_lost" || error.code === "conflict" ? "lost" : "failed";
}
