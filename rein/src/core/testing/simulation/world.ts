import type { DriveEnd } from "../../brain/index.ts";
import type { ModelRequest, ProcessIdentity } from "../../ports.ts";
import type { Command, Commit, Owner, Store } from "../../session/index.ts";
import { createDice, type Dice } from "../dice.ts";
import { Timeline } from "../timeline.ts";
import type {
  CommandNote,
  CommitNote,
  EffectNote,
  EndNote,
  LeaseNote,
  Notes,
  RequestNote,
  SurvivorNote,
} from "./recording.ts";

/** Makes the store of a world; `now` is the store's clock, `alive` what it can see of a lease's owner. */
export type CreateStore = (options: {
  readonly now: () => number;
  readonly alive: (owner: Owner) => "alive" | "dead" | "unknown";
}) => Store;

/** A process that a tool started; it outlives its parent. */
interface ToolProcess {
  readonly session: string;
  readonly call: string;
  readonly identity: ProcessIdentity;
  readonly life: string;
  /** The byte on the pipe has come: from here on it works. */
  released: boolean;
  over: boolean;
}

/** 2026-01-01. */
const START = Date.UTC(2026, 0, 1);

/** One simulated world: its time, its chance, its store, what happens in it, and what is written down of that. */
export class World implements Notes {
  readonly seed: number;
  readonly timeline = new Timeline(1);
  readonly dice: Dice;
  readonly store: Store;
  readonly commits: CommitNote[] = [];
  readonly leases: LeaseNote[] = [];
  readonly effects: EffectNote[] = [];
  readonly requests: RequestNote[] = [];
  readonly commands: CommandNote[] = [];
  readonly ends: EndNote[] = [];
  readonly survivors: SurvivorNote[] = [];
  /** How often each kind of thing really happened. */
  readonly counts = new Map<string, number>();
  /** Lines of the story; kept only when somebody wants to read it. */
  readonly story: string[] | null;
  /** Faults, commands and people; afterwards all is calm and must come to rest. */
  storming = true;
  finished = false;
  readonly #dead = new Set<string>();
  readonly #processes = new Map<string, ToolProcess>();
  readonly #watchers = new Set<(note: CommitNote, types: readonly string[]) => void>();
  #storeOffset = START;
  #order = 0;
  #ids = 0;
  #going = 0;

  constructor(seed: number, createStore: CreateStore, trace: boolean) {
    this.seed = seed;
    this.dice = createDice(seed);
    this.story = trace ? [] : null;
    this.store = createStore({
      now: () => this.#storeOffset + this.timeline.passed,
      alive: (owner) => this.#liveness(owner),
    });
  }

  /** The store's clock steps. */
  stepStoreClock(ms: number): void {
    this.#storeOffset += ms;
  }

  count(kind: string): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
  }

  /** A line of the story. */
  tell(who: string, text: () => string): void {
    if (this.story === null) return;
    const seconds = (this.timeline.passed / 1000).toFixed(3).padStart(9);
    this.story.push(`${seconds}s  ${who.padEnd(10)}  ${text()}`);
  }

  /** Something is going on that must be over before all is at rest. */
  track(going: Promise<void>): void {
    this.#going += 1;
    void going.then(() => {
      this.#going -= 1;
    });
  }

  /** How much of that is going on. */
  get going(): number {
    return this.#going;
  }

  /** A number nobody had before. */
  nextId(): number {
    this.#ids += 1;
    return this.#ids;
  }

  /** Puts a command into an inbox, as anybody may. */
  async put(session: string, commandId: string, command: Command | null): Promise<void> {
    const payload = command === null ? '{"kind":"nonsense"}' : JSON.stringify(command);
    const order = this.next();
    const put = await this.store.commit({ inbox: { put: [{ commandId, session, payload }] } });
    if (!put.ok) throw new Error(`A command could not be put: ${put.error.message}`);
    const fresh = put.value.duplicates.length === 0;
    this.commands.push({ order, commandId, session, command, fresh });
    this.count(fresh ? `command ${command?.kind ?? "nonsense"}` : "command put twice");
    this.tell("people", () => `${session} gets ${commandId}: ${payload}${fresh ? "" : " (known already)"}`);
  }

  /** Calls back after each append to a session. */
  watchCommits(listener: (note: CommitNote, types: readonly string[]) => void): void {
    this.#watchers.add(listener);
  }

  /** Takes the next number of the one counter. */
  next(): number {
    this.#order += 1;
    return this.#order;
  }

  noteCommit(order: number, life: string, commit: Commit): void {
    for (const { stream, token, expectedSeq, events } of commit.appends ?? []) {
      if (token === undefined || expectedSeq === undefined) continue;
      const data = events.map((event) => event.data);
      const taken = commit.inbox?.take ?? [];
      const note: CommitNote = {
        order,
        life,
        session: stream,
        token,
        from: expectedSeq + 1,
        to: expectedSeq + events.length,
        data,
        taken,
      };
      this.commits.push(note);
      const types = events.map((event) => event.type);
      this.tell(life, () => `${stream} ${note.from}–${note.to} (token ${token}): ${types.join(" ")}`);
      for (const watcher of this.#watchers) watcher(note, types);
    }
  }

  noteLease(order: number, life: string, session: string, token: number): void {
    this.leases.push({ order, life, session, token });
    this.tell(life, () => `${session} is taken up with token ${token}`);
  }

  noteRequest(life: string, session: string, request: ModelRequest): void {
    this.requests.push({ order: this.next(), life, session, request: { ...request, messages: [...request.messages] } });
  }

  noteEnd(life: string, session: string, end: DriveEnd, clean: boolean): void {
    this.ends.push({ order: this.next(), life, session, end, clean });
    this.count(`drive ended ${end.reason}`);
    this.tell(
      life,
      () =>
        `${session} is left: ${end.reason}${end.error === undefined ? "" : ` (${end.error.code}: ${end.error.message})`}`,
    );
  }

  /** Something changes in the world. */
  effect(life: string, session: string, call: string, tool: string, readOnly: boolean, byProcess: boolean): void {
    this.effects.push({ order: this.next(), life, session, call, tool, readOnly, byProcess });
    this.tell(
      life,
      () => `${session} ${call} ${tool}: ${readOnly ? "looks" : "takes effect"}${byProcess ? " (process)" : ""}`,
    );
  }

  hasEffect(session: string, call: string): boolean {
    return this.effects.some((effect) => effect.session === session && effect.call === call);
  }

  /** A launcher starts; it waits for its byte. */
  launch(life: string, session: string, call: string): ToolProcess {
    const pid = this.nextId();
    const identity = { host: "world", bootId: "1", pidNamespace: "1", pid, pidStart: "1", group: pid, mark: `m${pid}` };
    const process: ToolProcess = { session, call, identity, life, released: false, over: false };
    this.#processes.set(identity.mark, process);
    return process;
  }

  /** Ends a process and notes who asked for it. Gives how many it ended. */
  endSurvivor(life: string, by: string, identity: ProcessIdentity): number {
    const process = this.#processes.get(identity.mark);
    if (process === undefined || process.over) return 0;
    process.over = true;
    this.survivors.push({ order: this.next(), life, by, session: process.session, identity });
    this.count("survivor ended");
    this.tell(life, () => `${process.session} ${process.call}: process ${identity.pid} is ended for ${by}`);
    return 1;
  }

  /** A process of ours died: its launchers see the end of the pipe, what is released goes on. */
  noteDeath(life: string, owner: Owner): void {
    this.#dead.add(`${owner.pid}`);
    for (const process of this.#processes.values()) if (process.life === life && !process.released) process.over = true;
  }

  #liveness(owner: Owner): "alive" | "dead" | "unknown" {
    // Only those on the near host are in sight of the store.
    if (owner.host !== "near") return "unknown";
    return this.#dead.has(`${owner.pid}`) ? "dead" : "alive";
  }
}
