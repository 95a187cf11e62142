/**
 * The driver makes the world match what is wanted: it folds what happened, asks the rules, commits, and only then starts effects and
 * aborts those that are no longer wanted. It decides nothing itself.
 */
import { errorOfThrown, ok, type ReinError, type Result, reinError } from "../errors.ts";
import { own } from "../json.ts";
import { textOf } from "../message/message.ts";
import type { SessionEvent } from "../session/event.ts";
import { giveBack } from "../session/give-back.ts";
import { hasInput } from "../session/has-input.ts";
import type { Effect, Runner, Started, State } from "../session/part.ts";
import { isKernelEvent } from "../session/reduce-kernel.ts";
import type { InboxEntry } from "../session/store.ts";
import type { StreamPart } from "../session/stream.ts";
import { commandEvent } from "./command-event.ts";
import { DRIVE_END, type DriveEnd, goesOnAfter, reasonAtRest } from "./drive-end.ts";
import type { DriverOptions } from "./driver-options.ts";
import { EventCache } from "./event-cache.ts";
import { Flight, type FlightHost } from "./flight.ts";
import { Flights } from "./flights.ts";
import { LEASE_TTL, LeaseKeeper } from "./lease-keeper.ts";
import { type Mail, Mailbox } from "./mailbox.ts";
import { tellObservers } from "./observers.ts";
import { partsOfEvent } from "./parts-of-event.ts";
import { release } from "./release.ts";
import { failedEvent, foldOnly, playRound, type Round, type RoundContext, type RoundNews } from "./round.ts";
import { roundCommit } from "./round-commit.ts";
import { Snapshots } from "./snapshots.ts";

/** Drives one session while this process holds its lease. */
export class Driver {
  readonly #options: DriverOptions;
  readonly #session: string;
  readonly #cache: EventCache;
  readonly #runners: ReadonlyMap<string, Runner>;
  readonly #mailbox = new Mailbox();
  readonly #flights = new Flights();
  readonly #host: FlightHost;
  readonly #round: RoundContext;
  readonly #lease: LeaseKeeper;
  /** The newest committed state. */
  #state: State;
  /** The state of the round that is being played, for the effects it starts. */
  #playing: State | null = null;
  /** Effects that a round starts, until it is committed. */
  #starting = new Map<string, Flight>();
  readonly #parts: StreamPart[] = [];
  #events: SessionEvent[] = [];
  #stopped: { readonly reason: "failed" | "lost"; readonly error: ReinError } | null = null;
  #leaving = false;
  #text = "";
  readonly #snapshots: Snapshots;

  constructor(options: DriverOptions) {
    const { store, clock, lease } = options;
    this.#options = options;
    this.#state = options.state;
    this.#snapshots = new Snapshots(store, options.composition, options.unsaved);
    this.#session = lease.session;
    this.#runners = options.composition.runners();
    this.#cache = new EventCache(store, options.composition, this.#session);
    this.#lease = new LeaseKeeper(store, clock, lease, (error) => this.#stop("lost", error));
    this.#round = {
      composition: options.composition,
      redact: options.redact,
      isInFlight: (id) => this.#flights.has(id),
      start: (effect, state) => this.#start(effect, state),
      folded: (event, before, after) => this.#folded(event, before, after),
    };
    this.#host = {
      store,
      clock,
      lease,
      queue: options.queue,
      session: this.#session,
      load: (seq) => this.#cache.load(seq),
      state: () => this.#playing ?? this.#state,
      append: (events) => new Promise((done) => this.#mailbox.post({ events, done })),
      finished: (flight, events) => this.#mailbox.post({ events, flight }),
      fault: (error) => this.#stop(lostOr(error), error),
    };
  }

  /** The caller has left: the run is interrupted and the session given back. */
  leave(): void {
    this.#leaving = true;
    this.#mailbox.post({ events: [({ kernel }) => (kernel.run.active ? LEFT : null)] });
    // At once, before anything that waited for the caller to read goes on.
    this.#flights.keepOnly(new Set());
  }

  /** Takes the session up with these first events and drives it until it ends, waits or is taken away. */
  async run(first: readonly RoundNews[]): Promise<DriveEnd> {
    const unwatch = this.#options.store.watch((change) => {
      this.#lease.notice(change);
      if (change.kind === "elsewhere" || (change.kind === "inbox" && change.stream === this.#session)) {
        this.#mailbox.noticeCommands();
      }
    });
    this.#lease.start(this.#options.leaseTtl ?? LEASE_TTL);
    try {
      return await this.#end(await this.#drive(first));
    } finally {
      this.#lease.close();
      unwatch();
    }
  }

  async #drive(first: readonly RoundNews[]): Promise<DriveEnd["reason"]> {
    try {
      let recoveries = await this.#recoveries(first);
      let mail: readonly Mail[] = [{ events: first }, ...this.#mailbox.take()];
      for (;;) {
        if (this.#stopped !== null) return this.#stopped.reason;
        const end = await this.#step(mail, recoveries);
        if (end !== null) return end;
        if (this.#stopped === null) await this.#mailbox.next(this.#options.clock);
        mail = this.#mailbox.take();
        recoveries = [];
      }
    } catch (thrown) {
      const hint = "A rule, a fold or a port threw; please report it with the session's export.";
      return this.#stop("failed", errorOfThrown(thrown, "internal", hint));
    }
  }

  /** Effects that an earlier life began and `first` leaves open: each is looked into before anything is decided about it. */
  async #recoveries(first: readonly RoundNews[]): Promise<readonly Flight[]> {
    const saved = await this.#options.store.scratch(this.#session);
    if (!saved.ok) this.#stop("failed", saved.error);
    const texts = saved.ok ? saved.value : {};
    const state = foldOnly(this.#options, this.#state, first);
    const begun = this.#options.composition.parts.flatMap((part) => part.begun?.(state) ?? []);
    const flights = begun.map((effect) => new Flight(this.#host, effect, own(texts, effect.id) ?? null, true));
    for (const flight of flights) this.#flights.add(flight);
    return flights;
  }

  async #step(mail: readonly Mail[], recoveries: readonly Flight[]): Promise<DriveEnd["reason"] | null> {
    const commands = this.#mailbox.takeNotice() ? await this.#readCommands() : [];
    const finished = mail.flatMap(({ flight }) => flight ?? []);
    for (const flight of finished) this.#flights.land(flight);
    const at = this.#options.clock.now();
    const leaving = this.#leaving;
    const round = this.#play(mail, commands, at);
    const committed = await this.#commit(round, finished, commands, at);
    for (const { done } of mail) done?.(committed);
    const parts = this.#parts.splice(0);
    const starting = this.#starting;
    this.#starting = new Map();
    // The caller left while the intents were on their way: they are carried out aborted, so that each has its outcome.
    if (this.#leaving && !leaving) for (const flight of starting.values()) flight.abort();
    if (!committed.ok) return this.#stop(lostOr(committed.error), committed.error);
    for (const part of parts) this.#options.queue.post(part);
    // A lease that went meanwhile: what is committed is committed, but nothing is started any more.
    if (this.#stopped !== null) return this.#stopped.reason;
    this.#launch(round, starting, recoveries);
    return round.ended ? this.#afterEnd() : this.#atRest();
  }

  #play(mail: readonly Mail[], commands: readonly InboxEntry[], at: number): Round {
    const news: RoundNews[] = [];
    for (const { events } of mail) news.push(...events);
    for (const command of commands) news.push((state) => commandEvent(state, command, this.#options.checkChange));
    const decideToo = this.#stopped === null && (!this.#leaving || this.#state.kernel.run.active);
    const round = playRound(this.#round, at, this.#state, news, decideToo);
    this.#playing = null;
    return round;
  }

  #folded(event: SessionEvent, before: State, after: State): void {
    this.#cache.keep(event);
    if (this.#options.observe !== undefined) this.#events.push(event);
    if (isKernelEvent(event) && event.type === "model.responded" && after.kernel.model.phase === "responded") {
      this.#text = textOf(event.data.content);
    }
    this.#parts.push(...partsOfEvent(before, after, event));
  }

  #start(effect: Effect, state: State): Started | null {
    const runner = this.#runners.get(effect.kind);
    if (runner === undefined) return null;
    this.#playing = state;
    const flight = new Flight(this.#host, effect);
    try {
      const started = runner.start(effect, flight.context, (seq) => this.#cache.recent(seq));
      if (started.outcome === undefined) this.#starting.set(effect.id, flight);
      return started;
    } catch (thrown) {
      const error = errorOfThrown(
        thrown,
        "internal",
        "The effect could not be started; the cause stands in the message.",
      );
      return { outcome: [failedEvent(effect, error)] };
    }
  }

  async #commit(
    round: Round,
    finished: readonly Flight[],
    commands: readonly InboxEntry[],
    at: number,
  ): Promise<Result<void>> {
    const { store, composition, lease, queue, observe } = this.#options;
    const from = this.#state.kernel.seq;
    const commit = roundCommit(composition, lease, from, at, round, finished, commands);
    if (commit !== null) {
      const committed = await this.#lease.commit(round.events.length > 0, () => store.commit(commit));
      if (!committed.ok) return committed;
    }
    // What came before a new message is in the prompt by now; what is needed later is read back.
    if (round.events.some((event) => event.type === "model.responded")) this.#cache.forgetBelow(from + 1);
    this.#snapshots.grew(round.events.length);
    this.#state = round.state;
    const events = this.#events;
    if (observe === undefined || events.length === 0) return ok(undefined);
    this.#events = [];
    tellObservers(observe, { state: this.#state, events }, (part) => queue.post(part));
    return ok(undefined);
  }

  #launch(round: Round, starting: ReadonlyMap<string, Flight>, recoveries: readonly Flight[]): void {
    for (const flight of recoveries) {
      const runner = this.#runners.get(flight.effect.kind);
      flight.launch(async () => (await runner?.recover?.(flight.effect, flight.context)) ?? []);
    }
    for (const { effect, started } of round.starts) {
      const flight = starting.get(effect.id);
      if (flight === undefined) continue;
      this.#flights.add(flight);
      if (started.go !== undefined) flight.launch(started.go);
    }
    if (round.wanted !== null) this.#flights.keepOnly(round.wanted);
  }

  async #afterEnd(): Promise<DriveEnd["reason"] | null> {
    const reason = this.#state.kernel.run.ended?.reason ?? "done";
    const goesOn = goesOnAfter(reason);
    if (goesOn && !this.#leaving && hasInput(this.#state.kernel)) this.#mailbox.noticeCommands();
    else if (await this.#release()) return reason;
    this.#leaving = this.#leaving || !goesOn;
    return null;
  }

  /** The end when nothing but a person, or a command, can move the session; null while it goes on. */
  async #atRest(): Promise<DriveEnd["reason"] | null> {
    if (!this.#mailbox.empty || !this.#flights.passive) return null;
    const asks = this.#flights.hasKind("person");
    if (asks && this.#options.stay === true) return null;
    // Nothing but a timer: it moves the session by itself.
    if (this.#flights.size > 0 && !asks && !this.#state.kernel.paused) return null;
    if (!(await this.#release())) return null;
    return reasonAtRest(this.#state, asks);
  }

  /** Gives the session back; false when it goes on. */
  async #release(): Promise<boolean> {
    const { store, lease } = this.#options;
    await this.#snapshots.saveWhenWorth(this.#state);
    const released = await this.#lease.giveBack(() => release(store, lease));
    if (!released.ok) this.#stop(lostOr(released.error), released.error);
    else if (!released.value) this.#mailbox.noticeCommands();
    return released.ok && released.value;
  }

  async #end(reason: DriveEnd["reason"]): Promise<DriveEnd> {
    const { store, composition, clock, lease } = this.#options;
    const gone = reinError("lease_lost", "The session is no longer driven here.", "Open it again.");
    this.#mailbox.close(this.#stopped?.error ?? gone);
    await this.#flights.end(clock);
    // After a fault of the store this may fail too; then the next who takes the session up here tries again.
    if (this.#stopped?.reason === "failed") await giveBack(store, lease);
    const state = this.#state;
    DRIVE_END.publish({ store, composition, state, clean: this.#stopped === null });
    const error = this.#stopped?.error ?? state.kernel.run.ended?.error;
    return { reason, state, text: this.#text, ...(error !== undefined && { error }) };
  }

  #stop(reason: "failed" | "lost", error: ReinError): "failed" | "lost" {
    this.#stopped ??= { reason, error };
    this.#flights.abortAll();
    this.#mailbox.stir();
    return this.#stopped.reason;
  }

  async #readCommands(): Promise<readonly InboxEntry[]> {
    const entries = await this.#options.store.inbox(this.#session);
    if (entries.ok) return entries.value;
    this.#stop("failed", entries.error);
    return [];
  }
}

const LEFT = { type: "run.interrupted", data: { commandId: null, by: "caller" } } as const;

function lostOr(error: ReinError): "failed" | "lost" {
  return error.code === "lease_lost" || error.code === "conflict" ? "lost" : "failed";
}
