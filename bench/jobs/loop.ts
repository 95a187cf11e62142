/**
 * One process in which `rein`, `bare` or `pi` does runs of so many turns one after another, the last of which count: the CPU of the
 * whole process from the beginning of a run to its end, its session opened and its last commit made. What is loaded and opened once is
 * nobody's cost: each does {@link LOADED} turns before anything is measured. What loading costs is measured by the row `start`.
 */
import { rmSync } from "node:fs";
import { median } from "../figures.ts";
import { answer, cpuSince, jobFolder, jobInput } from "../job.ts";
import { openBareLog, type TurnBytes } from "../peers/bare-log.ts";
import { bareLoop } from "../peers/bare-loop.ts";
import { lateModel, type StubSpeech, stubModel } from "../peers/stub-model.ts";

/** What this job takes. */
export interface LoopInput {
  readonly who: "rein" | "bare" | "pi";
  readonly turns: number;
  /**
   * Runs of {@link LOADING} turns before the one that counts, in which everything is loaded and compiled. With any, another session is
   * in flight all the time, as in a process that serves more than one: V8 forgets what it compiled for objects that are all gone.
   */
  readonly runsBefore: number;
  /** Runs that count; default 1. With more, each figure is their median. */
  readonly runs?: number;
  /** Bytes the yardstick writes each turn; null: nobody keeps a log on a disk. */
  readonly bytes: TurnBytes | null;
  /** Turns in the middle of windows whose cost is wanted as well; each window is {@link WINDOW} turns long. */
  readonly at?: readonly number[];
  readonly speech?: StubSpeech;
}

/** Turns with which everything is loaded: the second is the first with the result of a call. */
const LOADED = 2;

/** Turns of a run before the one that counts. */
const LOADING = 800;

/** Turns of a window. */
export const WINDOW = 200;

interface LoopCost {
  /** Microseconds of CPU a turn. */
  readonly perTurn: number;
  /** The same within each window. */
  readonly windows: readonly number[];
}

/** What it gives. */
export interface LoopOutput extends LoopCost {
  /** Most resident memory, megabytes. */
  readonly peak: number;
}

interface Loop {
  readonly run: (turns: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

const { who, turns, runsBefore, runs = 1, bytes, at = [], speech } = jobInput<LoopInput>();
const folder = jobFolder();
/** CPU at the end of each turn that begins or ends a window. */
const marks = new Map<number, number>();
let turn = 0;
let started = process.cpuUsage();

function turnEnded(): void {
  turn += 1;
  if (at.some((middle) => Math.abs(turn - middle) === WINDOW / 2)) marks.set(turn, cpuSince(started));
}

const loop = await prepare();
await loop.run(LOADED);
for (let run = 0; run < runsBefore; run += 1) await loop.run(LOADING);
const measured: LoopCost[] = [];
for (let run = 0; run < runs; run += 1) measured.push(await measure());
await loop.close();
rmSync(folder, { recursive: true, force: true });
answer<LoopOutput>({
  perTurn: median(measured.map(({ perTurn }) => perTurn)),
  windows: at.map((_, index) => median(measured.map(({ windows }) => windows[index] ?? Number.NaN))),
  peak: process.resourceUsage().maxRSS / 1024,
});

async function measure(): Promise<LoopCost> {
  turn = 0;
  marks.clear();
  started = process.cpuUsage();
  await loop.run(turns);
  const perTurn = cpuSince(started) / turns;
  const windows = at.map((middle) => {
    const begin = marks.get(middle - WINDOW / 2);
    const end = marks.get(middle + WINDOW / 2);
    return begin === undefined || end === undefined ? Number.NaN : (end - begin) / WINDOW;
  });
  return { perTurn, windows };
}

async function prepare(): Promise<Loop> {
  switch (who) {
    case "rein":
      return rein();
    case "bare":
      return bare();
    case "pi":
      return pi();
  }
}

async function rein(): Promise<Loop> {
  const { reinAgent } = await import("../peers/rein-agent.ts");
  const model = stubModel(0, speech);
  const agent = reinAgent(model, bytes === null ? null : folder);
  const end = Promise.withResolvers<void>();
  const other = runsBefore === 0 ? null : reinAgent(lateModel(end.promise), null);
  const waiting = other?.complete("Wait.");
  return {
    run: async (count) => {
      model.turns = count;
      for await (const part of agent.run("Go.")) if (part.type === "turn_end") turnEnded();
    },
    close: async () => {
      await agent.close();
      end.resolve();
      await waiting;
      await other?.close();
    },
  };
}

async function bare(): Promise<Loop> {
  const log = bytes === null ? null : openBareLog(folder, bytes);
  const model = stubModel(0, speech);
  return {
    run: async (count) => {
      model.turns = count;
      for await (const part of bareLoop(model, "Go.", log?.write ?? null)) if (part.type === "done") turnEnded();
    },
    close: async () => log?.close(),
  };
}

async function pi(): Promise<Loop> {
  const { piLoop } = await import("../peers/pi-loop.ts");
  const model = stubModel(0, speech);
  return {
    run: (count) => {
      model.turns = count;
      return piLoop(model, "Go.", turnEnded);
    },
    close: async () => undefined,
  };
}
