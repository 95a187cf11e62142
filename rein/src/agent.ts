/** The composition root: an agent is a model, a store and the rooms between them. */

import { systemClock } from "./agent-clock.ts";
import { type AgentOptions, isCount, settingsOf } from "./agent-options.ts";
import { openRooms, type Rooms } from "./agent-rooms.ts";
import { type DriveEnd, Driver, DriveStream, eventOfCommand, LEASE_TTL, PartQueue } from "./core/brain/index.ts";
import { fail, ok, type ReinError, ReinFailure, type Result, unwrap } from "./core/errors.ts";
import type { Block } from "./core/message/index.ts";
import type { Hands } from "./core/ports.ts";
import {
  type Command,
  type EndReason,
  forkSession,
  giveBack,
  isUnfinished,
  type NewEvent,
  openSession,
  type SessionSettings,
  type SettingsChange,
  type State,
  type Store,
  takeUp,
} from "./core/session/index.ts";
import type { UngrantedCall } from "./guard/index.ts";
import { killReason } from "./kill-reason.ts";

/** How a run ended. */
export interface RunResult {
  readonly session: string;
  /** Why it ended; `waiting`: a person must answer; `paused`; `idle`: there was nothing to do; `lost`: another process took the session. */
  readonly reason: EndReason | "waiting" | "paused" | "idle" | "lost";
  /** The newest assistant message of this run. */
  readonly text: string;
  readonly error?: ReinError;
  /** Calls that wait for an answer. */
  readonly waiting: readonly string[];
  /** Why it was killed, when it was. */
  readonly killed?: string;
  readonly usage: { readonly input: number; readonly output: number; readonly cost: number };
}

/** Options of one run. */
export interface RunOptions {
  /** Id of the session: a new one, or one to go on with. Default: a new random id. */
  readonly session?: string;
  /** Settings to change before it goes on. */
  readonly change?: SettingsChange;
  /** Stay and wait for a person's answer instead of ending with `waiting`. Default false. */
  readonly stay?: boolean;
  /** Parts kept for a caller that does not read; default 100. */
  readonly buffer?: number;
}

/** A run: an async generator of parts whose return value is a {@link RunResult}. Leaving its loop interrupts the run. */
export type Run = DriveStream<RunResult>;

/** An agent. Its methods throw a `ReinFailure` for what the caller can mend; what happens inside a run is in its result. */
export interface Agent {
  /** Gives the agent a task. It starts with the first `next`. */
  run(input: string | readonly Block[], options?: RunOptions): Run;
  /** Goes on with a session: after a crash, an interrupt, a limit, a failure, an answer. With nothing to go on with the result is `idle`. */
  resume(session: string, options?: Omit<RunOptions, "session">): Run;
  /** Runs to the end without looking at the parts. */
  complete(input: string | readonly Block[], options?: RunOptions): Promise<RunResult>;
  /**
   * Puts a command into a session's inbox. `held`: a process that lives, or of which that can't be said from here, drives the session
   * and takes it at once. Else it stays there until somebody resumes the session.
   */
  send(
    session: string,
    command: Command,
    commandId?: string,
  ): Promise<{ readonly commandId: string; readonly duplicate: boolean; readonly held: boolean }>;
  /** Takes a session by force and ends it: no effect starts after this. */
  kill(session: string, reason: string): Promise<RunResult>;
  /** A child session that goes on from event `seq` of the parent (default: the newest). It has `kept` events of it, and `seq` in all. */
  fork(
    parent: string,
    options?: { readonly seq?: number; readonly session?: string },
  ): Promise<{ readonly session: string; readonly seq: number; readonly kept: number }>;
  /** The folded state of a session. */
  state(session: string): Promise<State>;
  /**
   * The narrowest allow rules under which a call that nothing granted would run unasked; `effects` and `tool` as in `tool_judged`,
   * `folder` of the session. Empty where no rule says exactly that.
   */
  rulesFor(call: UngrantedCall): Promise<readonly string[]>;
  /** The store, opened. */
  store(): Promise<Store>;
  /** The hands that act on the world, and in a sentence what they contain. */
  hands(): Promise<Pick<Hands, "name" | "containment">>;
  /** Ends what the agent started and closes a store that it opened. */
  close(): Promise<void>;
}

/**
 * Makes an agent. Nothing is loaded or opened before it is needed.
 *
 * @example
 * const agent = createAgent({ model, folder: "/repo", allow: ["Bash(npm test)"] });
 * for await (const part of agent.run("What do the tests say?")) {
 *   if (part.type === "text_delta") process.stdout.write(part.text);
 * }
 */
export function createAgent(options: AgentOptions): Agent {
  return new ComposedAgent(options);
}

class ComposedAgent implements Agent {
  readonly #options: AgentOptions;
  #rooms: Promise<Result<Rooms>> | null = null;

  constructor(options: AgentOptions) {
    this.#options = options;
  }

  run(input: string | readonly Block[], options: RunOptions = {}): Run {
    const content: readonly Block[] = typeof input === "string" ? [{ type: "text", text: input }] : input;
    const start = wanted({ kind: "input", mode: "start", content });
    return this.#drive(options.session ?? this.#clock.id(), options, [start], true);
  }

  resume(session: string, options: Omit<RunOptions, "session"> = {}): Run {
    return this.#drive(session, options, [GO_ON], false);
  }

  complete(input: string | readonly Block[], options: RunOptions = {}): Promise<RunResult> {
    return this.run(input, options).finish();
  }

  async send(session: string, command: Command, commandId = this.#clock.id()) {
    const { store, livenessOf, checkChange } = await this.#open();
    if (command.kind === "settings") unwrap(checkChange(command.change));
    const info = unwrap(await store.session(session));
    if (info === null) throw unknown(session, store);
    const put = [{ commandId, session, payload: JSON.stringify(command) }];
    const committed = unwrap(await store.commit({ inbox: { put } }));
    const held = info.lease !== undefined && livenessOf(info.lease.owner) !== "dead";
    return { commandId, duplicate: committed.duplicates.length > 0, held };
  }

  kill(session: string, reason: string): Promise<RunResult> {
    const kill = wanted({ kind: "kill", reason });
    return this.#drive(session, {}, [kill], false, true).finish();
  }

  async fork(parent: string, options: { readonly seq?: number; readonly session?: string } = {}) {
    const { store, composition, clock, owner } = await this.#open();
    const child = options.session ?? clock.id();
    const seq = options.seq === undefined ? {} : { seq: options.seq };
    return unwrap(await forkSession({ store, composition, clock, owner, ttl: LEASE_TTL, parent, child, ...seq }));
  }

  async state(session: string): Promise<State> {
    const { store, composition } = await this.#open();
    return unwrap(await openSession(store, composition, session)).state;
  }

  async rulesFor(call: UngrantedCall): Promise<readonly string[]> {
    return (await this.#open()).rulesFor(call);
  }

  async store(): Promise<Store> {
    return (await this.#open()).store;
  }

  async hands(): Promise<Pick<Hands, "name" | "containment">> {
    return (await this.#open()).hands;
  }

  async close(): Promise<void> {
    const rooms = await this.#rooms;
    this.#rooms = null;
    if (rooms === null || !rooms.ok) return;
    await rooms.value.hands.dispose();
    const given = this.#options.store;
    if (given === undefined || "path" in given) unwrap(await rooms.value.store.close());
  }

  get #clock() {
    return this.#options.clock ?? systemClock;
  }

  async #open(): Promise<Rooms> {
    const opening = this.#rooms ?? openRooms(this.#options, this.#clock);
    this.#rooms = opening;
    const rooms = await opening;
    // What did not open may open the next time: a busy or full disk passes.
    if (!rooms.ok && this.#rooms === opening) this.#rooms = null;
    return unwrap(rooms);
  }

  #drive(session: string, options: RunOptions, wants: readonly Want[], mayCreate: boolean, steal = false): Run {
    const queue = new PartQueue(options.buffer);
    return new DriveStream(queue, async () => {
      const { store, composition, clock, redact, owner, checkChange } = await this.#open();
      if (options.buffer !== undefined && !isCount(options.buffer))
        unwrap(fail("invalid_option", "buffer is no whole number from 1 on.", "Give one, or leave it out."));
      if (options.change !== undefined) unwrap(checkChange(options.change));
      const head = unwrap(await store.head(session));
      const isNew = head === null || head.seq === 0;
      const create = isNew && mayCreate ? { create: { settings: settingsOf(this.#options), gates: [] } } : {};
      const taken = unwrap(await takeUp({ store, composition, owner, session, ttl: LEASE_TTL, steal, ...create }));
      const settings = taken.state.kernel.settings;
      const change = options.change === undefined ? [] : [changed(options.change)];
      const served = steal ? ok(undefined) : this.#serves(settings, options.change);
      if (!served.ok) {
        unwrap(await giveBack(store, taken.lease));
        throw new ReinFailure(served.error);
      }
      const before = taken.state.kernel;
      const crashed = isLeftBehind(before);
      queue.post({ type: "session_opened", session, events: taken.read, how: taken.how, crashed });
      const driver = new Driver({
        store,
        composition,
        clock,
        redact,
        lease: taken.lease,
        state: taken.state,
        unsaved: taken.read,
        queue,
        stay: options.stay ?? false,
        checkChange,
        ...(this.#options.observe !== undefined && { observe: this.#options.observe }),
      });
      const news = wants.map((want) => {
        const commandId = clock.id();
        return (state: State) => want(state, commandId);
      });
      const run = async (): Promise<RunResult> => {
        const end = endSince(before, await driver.run([...taken.first, ...change, ...news]));
        const killed = await killReason(store, clock, end);
        if (!killed.ok) throw new ReinFailure(killed.error);
        return resultOf(session, end, killed.value, queue, clock.now());
      };
      return { leave: () => driver.leave(), run };
    });
  }

  /** A session goes on with the model it was made with, unless somebody says otherwise: its history must not go elsewhere by default. */
  #serves(settings: SessionSettings | null, change: SettingsChange | undefined): Result<void> {
    const wanted = change?.models ?? settings?.models;
    const offered = this.#options.models ?? [this.#options.model.id];
    if (wanted === undefined || wanted.some((model) => offered.includes(model))) return ok(undefined);
    return fail(
      "model_unknown",
      `The session was made with ${wanted.join(", ")}; this agent has ${offered.join(", ")}.`,
      "Use the same model, or change the session's model by name.",
    );
  }
}

/** What a caller wants of a session, as the event it becomes in the state it meets; null for nothing. */
type Want = (state: State, commandId: string) => NewEvent | null;

/** It goes the way of every command, so that a terminated session refuses it and says so. */
function wanted(command: Command): Want {
  return (state, commandId) => eventOfCommand(state, commandId, command);
}

/** A resume that finds nothing unfinished takes in what waits, and wants nothing itself. */
const GO_ON: Want = (state, commandId) =>
  isUnfinished(state.kernel) && !state.kernel.paused ? eventOfCommand(state, commandId, { kind: "resume" }) : null;

/** Whether a run was left in the middle: whoever gives a session back leaves nothing in flight, and nothing but a person's answer open. */
function isLeftBehind({ run, model, open, paused, copied }: State["kernel"]): boolean {
  if (!run.active || copied) return false;
  const calls = open?.calls ?? [];
  const inFlight = model.phase === "requested" || calls.some(({ status }) => status === "started");
  return inFlight || !(paused || calls.some(({ status }) => status === "asking"));
}

/** The end of a drive; `idle` where no run was going on and none was started, however an earlier one had ended. */
function endSince(before: State["kernel"], end: DriveEnd): DriveEnd {
  const { run, terminated } = end.state.kernel;
  const { ended } = run;
  const isOld = ended !== null && ended.reason === end.reason && ended.error === end.error;
  if (before.run.active || run.number !== before.run.number || terminated || !isOld) return end;
  return { reason: "idle", state: end.state, text: end.text };
}

function changed(change: SettingsChange): NewEvent {
  return { type: "settings.changed", data: { commandId: null, change } };
}

function unknown(session: string, store: Store): ReinFailure {
  const hint = "Check the id, and that the store is the right one.";
  const { error } = fail("session_unknown", `There is no session ${session} in ${store.name}.`, hint);
  return new ReinFailure(error);
}

function resultOf(session: string, drive: DriveEnd, killed: string | null, queue: PartQueue, at: number): RunResult {
  // Whoever loses a session to a kill has not lost it to another brain.
  const end: DriveEnd = drive.reason === "lost" && killed !== null ? killedEnd(drive) : drive;
  const { kernel } = end.state;
  const waiting = kernel.open?.calls.filter((call) => call.status === "asking").map((call) => call.call) ?? [];
  const { input, output, cost } = kernel.totals;
  const usage = { input, output, cost };
  if (end.reason === "waiting") queue.post({ type: "waiting", calls: waiting });
  if (end.error !== undefined) {
    const { class: kind, code, message, hint } = end.error;
    queue.post({ type: "error", error: { class: kind, code, message, hint } });
  }
  queue.post({
    type: "agent_end",
    session,
    reason: end.reason,
    text: end.text,
    messages: kernel.history.length,
    usage,
    at,
  });
  const error = end.error === undefined ? {} : { error: end.error };
  return { session, reason: end.reason, text: end.text, waiting, usage, ...error, ...(killed !== null && { killed }) };
}

function killedEnd({ state, text }: DriveEnd): DriveEnd {
  return { reason: "killed", state, text };
}
