/** A brain on a bench: everything real but the rooms around it. Starts, sends to, crashes and resumes sessions in a store. */
import {
  type DriveEnd,
  Driver,
  DriveStream,
  eventOfCommand,
  type KernelPorts,
  kernelPart,
  kernelRules,
  LEASE_TTL,
  type Observer,
  PartQueue,
} from "../brain/index.ts";
import { unwrap } from "../errors.ts";
import type { Clock, Context, Model, Redact, Tools } from "../ports.ts";
import {
  type Command,
  type Composition,
  compose,
  type NewEvent,
  type Owner,
  type Part,
  type Rule,
  type SessionSettings,
  type State,
  type Store,
  takeUp,
} from "../session/index.ts";
import { noRedact, noSurvivors, plainContext } from "./plain-ports.ts";

/** What the bench is made of. */
export interface BrainBenchOptions {
  readonly store: Store;
  readonly model: Model;
  readonly tools: Tools;
  readonly clock: Clock;
  readonly settings?: Partial<SessionSettings>;
  readonly redact?: Redact;
  readonly owner?: Owner;
  readonly parts?: readonly Part[];
  readonly rules?: readonly Rule[];
  readonly measures?: KernelPorts["measures"];
  readonly maxOutput?: KernelPorts["maxOutput"];
  readonly context?: Context;
  readonly hands?: KernelPorts["hands"];
}

/** How one drive goes. */
export interface BenchDrive {
  readonly stay?: boolean;
  /** Parts kept for a reader that is behind. */
  readonly buffer?: number;
  /** Takes the session by force. */
  readonly steal?: boolean;
  /** Comes before the text. */
  readonly first?: readonly NewEvent[];
  readonly observe?: readonly Observer[];
}

/** An owner for tests. */
export const BENCH_OWNER: Owner = { host: "bench", bootId: "boot-1", pidNamespace: "ns", pid: 1, startTime: "1" };

/** The settings of a session on the bench. */
export const BENCH_SETTINGS: SessionSettings = {
  models: ["scripted"],
  folder: "/bench",
  rules: { allow: [], deny: [] },
  limits: {},
  durability: "normal",
  ask: "wait",
  linear: false,
};

/** One life of a brain. */
export interface BrainBench {
  readonly composition: Composition;
  /** Starts or resumes `session`; with text, that input is received first. */
  drive(session: string, text?: string, options?: BenchDrive): DriveStream<DriveEnd>;
  /** Puts a command into the inbox. */
  send(session: string, command: Command, commandId: string): Promise<void>;
}

/** Makes a bench. */
export function createBrainBench(options: BrainBenchOptions): BrainBench {
  const { store, clock, model, tools, redact = noRedact, context = plainContext, hands = noSurvivors } = options;
  const { measures, maxOutput, owner = BENCH_OWNER } = options;
  const ports: KernelPorts = {
    model,
    tools,
    context,
    redact,
    hands,
    ...(measures !== undefined && { measures }),
    ...(maxOutput !== undefined && { maxOutput }),
  };
  const parts = [kernelPart(ports, (hash) => store.blob(hash)), ...(options.parts ?? [])];
  const composition = unwrap(compose(parts, options.rules ?? kernelRules));
  const create = { settings: { ...BENCH_SETTINGS, ...options.settings }, gates: [] };
  return {
    composition,
    drive(session, text, drive = {}) {
      const { buffer, steal = false, first = [], ...rest } = drive;
      const queue = new PartQueue(buffer);
      return new DriveStream(queue, async () => {
        const exists = unwrap(await store.head(session)) !== null;
        const made = exists ? {} : { create };
        const taken = unwrap(await takeUp({ store, composition, owner, session, ttl: LEASE_TTL, steal, ...made }));
        const { lease, state, read: unsaved } = taken;
        const driver = new Driver({ store, composition, clock, redact, lease, state, unsaved, queue, ...rest });
        const input = text === undefined ? [] : [inputOf(clock.id(), text)];
        return { leave: () => driver.leave(), run: () => driver.run([...taken.first, ...first, ...input]) };
      });
    },
    async send(session, command, commandId) {
      const put = [{ commandId, session, payload: JSON.stringify(command) }];
      unwrap(await store.commit({ inbox: { put } }));
    },
  };
}

function inputOf(commandId: string, text: string): (state: State) => NewEvent {
  return (state) =>
    eventOfCommand(state, commandId, { kind: "input", mode: "start", content: [{ type: "text", text }] });
}
