/** A brain on a bench: everything real but the rooms around it. Starts, sends to, crashes and resumes one session in a store. */
import { type Result, unwrap } from "../errors.ts";
import { Driver, type DriveEnd, DriveStream, kernelPart, kernelRules, LEASE_TTL, PartQueue } from "../brain/index.ts";
import type { Block } from "../message/message.ts";
import type { Clock, Model, Redact, Tools } from "../ports.ts";
import { type Command, type Composition, compose, type NewEvent, type Owner, type Part, type Rule, type SessionSettings, type Store, takeUp } from "../session/index.ts";
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
  readonly measures?: Readonly<Record<string, () => number>>;
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
  drive(session: string, text?: string, options?: { readonly stay?: boolean; readonly buffer?: number }): DriveStream<DriveEnd>;
  /** Puts a command into the inbox. */
  send(session: string, command: Command, commandId: string): Promise<void>;
}

/** Makes a bench. */
export function createBrainBench(options: BrainBenchOptions): BrainBench {
  const { store, clock } = options;
  const ports = {
    model: options.model,
    tools: options.tools,
    context: plainContext,
    redact: options.redact ?? noRedact,
    hands: noSurvivors,
    ...(options.measures !== undefined && { measures: options.measures }),
  };
  const parts = [kernelPart(ports, (hash) => store.blob(hash)), ...(options.parts ?? [])];
  const composition = unwrap(compose(parts, options.rules ?? kernelRules));
  return {
    composition,
    drive(session, text, drive = {}) {
      const queue = new PartQueue(drive.buffer);
      return new DriveStream(queue, async () => {
        const create = { settings: { ...BENCH_SETTINGS, ...options.settings }, gates: [] };
        const exists = unwrap(await store.head(session)) !== null;
        const taken = unwrap(await takeUp({ store, composition, clock, owner: options.owner ?? BENCH_OWNER, session, ttl: LEASE_TTL, ...(exists ? {} : { create }) }));
        const input: NewEvent[] = text === undefined ? [] : [inputEvent(clock.id(), [{ type: "text", text }])];
        const driver = new Driver({ store, composition, clock, redact: ports.redact, lease: taken.lease, state: taken.state, queue, stay: drive.stay ?? false });
        return { leave: () => driver.leave(), run: () => driver.run([...taken.first, ...input]) };
      });
    },
    async send(session, command, commandId) {
      const put: Result<unknown> = await store.commit({ inbox: { put: [{ commandId, session, payload: JSON.stringify(command) }] } });
      unwrap(put);
    },
  };
}

function inputEvent(commandId: string, content: readonly Block[]): NewEvent {
  return { type: "input.received", data: { commandId, mode: "start", content } };
}

/** Drives to the end. */
export async function finish(stream: DriveStream<DriveEnd>): Promise<DriveEnd> {
  return stream.finish();
}
