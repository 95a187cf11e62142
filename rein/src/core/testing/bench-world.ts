/** A bench with one session on it, for tests that say what the model does and look at what comes of it. */
import type { DriveEnd, DriveStream } from "../brain/index.ts";
import type { JsonValue } from "../json.ts";
import type { Message } from "../message/index.ts";
import type { Model } from "../ports.ts";
import type { Command, Store, StreamPart } from "../session/index.ts";
import { type BenchDrive, type BrainBench, type BrainBenchOptions, createBrainBench } from "./brain-bench.ts";
import { createFakeTools, type FakeTool } from "./fake-tools.ts";
import { readLog, readTypes } from "./read-log.ts";
import { createScriptedModel, type ScriptedModel, type ScriptedStep } from "./scripted-model.ts";
import { settle, type VirtualClock } from "./virtual-clock.ts";

/** What the world is made of; everything else is as on a plain bench. */
export interface BenchWorldOptions extends Omit<BrainBenchOptions, "model" | "tools" | "clock"> {
  readonly clock: VirtualClock;
  readonly script?: readonly ScriptedStep[];
  /** In place of the scripted model. */
  readonly model?: Model;
  readonly tools?: Readonly<Record<string, FakeTool>>;
}

/** The one session of a world. */
export const SESSION = "s1";

/** A drive that is going on. */
export interface StartedDrive {
  readonly end: Promise<DriveEnd>;
  readonly stream: DriveStream<DriveEnd>;
}

/** A world. */
export interface BenchWorld {
  readonly bench: BrainBench;
  readonly store: Store;
  readonly clock: VirtualClock;
  readonly model: ScriptedModel;
  /** Parts of all drives so far. */
  readonly parts: readonly StreamPart[];
  /** Drives the session to the end of the drive, moving the clock on whenever nothing else happens. */
  run(text?: string, options?: BenchDrive): Promise<DriveEnd>;
  /** Starts a drive and reads it until nothing more happens without time passing; `end` is its end. */
  start(text?: string, options?: BenchDrive): Promise<StartedDrive>;
  /** Puts a command into the inbox, and lets a drive that is going on take it in. */
  send(command: Command, commandId?: string): Promise<void>;
  types(from?: number): Promise<readonly string[]>;
  /** Data of all events of a type. */
  data(type: string): Promise<readonly JsonValue[]>;
  /** Messages of the nth request, from 0. */
  messages(request: number): readonly Message[] | undefined;
}

/** Makes a world. */
export function createBenchWorld(options: BenchWorldOptions): BenchWorld {
  const { store, clock, script = [] } = options;
  const model = createScriptedModel(script);
  const bench = createBrainBench({
    ...options,
    model: options.model ?? model,
    tools: createFakeTools(options.tools ?? {}),
  });
  const parts: StreamPart[] = [];
  let commands = 0;
  const begin = (text?: string, drive?: BenchDrive): StartedDrive => {
    const stream = bench.drive(SESSION, text, drive);
    return { stream, end: read(stream, parts) };
  };
  return {
    bench,
    store,
    clock,
    model,
    parts,
    start: async (text, drive) => {
      const started = begin(text, drive);
      await settle();
      return started;
    },
    run: (text, drive) => runOut(clock, begin(text, drive).end),
    send: async (command, commandId) => {
      commands += 1;
      await bench.send(SESSION, command, commandId ?? `c${commands}`);
      await settle();
    },
    types: (from) => readTypes(store, SESSION, from),
    data: async (type) => (await readLog(store, SESSION, type)).map((event) => event.data),
    messages: (request) => model.requests[request]?.messages,
  };
}

async function read(stream: DriveStream<DriveEnd>, parts: StreamPart[]): Promise<DriveEnd> {
  for (;;) {
    const next = await stream.next();
    if (next.done === true) return next.value;
    parts.push(next.value);
  }
}

/** Steps after which a promise that does not settle is taken for one that never will. */
const MOST_STEPS = 10_000;

/** Waits for a promise, moving the clock on to the next sleeper whenever nothing else happens. */
export async function runOut<T>(clock: VirtualClock, promise: Promise<T>): Promise<T> {
  let settled = false;
  const done = (): void => {
    settled = true;
  };
  promise.then(done, done);
  for (let step = 0; step < MOST_STEPS; step += 1) {
    await settle();
    if (settled) return promise;
    if (!(await clock.advanceToNext())) await settle();
  }
  throw new Error("It did not end, however far the clock was moved on.");
}
