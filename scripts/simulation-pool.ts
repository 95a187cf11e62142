import { Worker } from "node:worker_threads";
import type { SimulationReport } from "../rein/src/core/testing/index.ts";
import type { SeedRange, WorkerMessage, WorkerSetup } from "./simulation-worker.ts";

/** Which seeds are run, and of what. */
export interface PoolOptions {
  /** Folder of the library's sources. */
  readonly source: string;
  readonly from: number;
  readonly count: number;
  readonly workers: number;
  readonly trace?: boolean;
  /** Told of each seed; true ends the whole. */
  readonly onReport: (report: SimulationReport) => boolean;
}

/** Seeds a worker is given at a time. */
const CHUNK = 20;
/** Milliseconds after which a seed counts as hanging: a loop in which no virtual time passes and nothing is committed. */
const LONGEST_SEED = 60_000;
const LOOK_EVERY = 1_000;

/** Runs seeds on several threads. A seed that hangs or breaks its thread is reported as a violation of `simulation`. */
export async function runSeeds(options: PoolOptions): Promise<void> {
  const queue: SeedRange[] = [];
  const { from, count, trace = false } = options;
  for (let at = from; at < from + count; at += CHUNK)
    queue.push({ from: at, count: Math.min(CHUNK, from + count - at), trace });
  const state = { over: false };
  const threads = Math.min(options.workers, queue.length);
  await Promise.all(Array.from({ length: threads }, () => work(options, queue, state)));
}

/** Keeps one thread busy until the queue is empty; a broken one is replaced and goes on behind the seed that broke it. */
async function work(options: PoolOptions, queue: SeedRange[], state: { over: boolean }): Promise<void> {
  while (!state.over) {
    const range = queue.shift();
    if (range === undefined) return;
    const rest = await runThread(options, range, queue, state);
    if (rest !== null && rest.count > 0) queue.unshift(rest);
  }
}

/** Runs ranges on a new thread until there are none; gives what is left of the range in which it broke. */
function runThread(
  options: PoolOptions,
  first: SeedRange,
  queue: SeedRange[],
  state: { over: boolean },
): Promise<SeedRange | null> {
  const setup: WorkerSetup = { source: options.source };
  const worker = new Worker(new URL("./simulation-worker.ts", import.meta.url), { workerData: setup });
  return new Promise((resolve) => {
    let range = first;
    let seed = first.from;
    let began = performance.now();
    const report = (one: SimulationReport): void => {
      if (!state.over && options.onReport(one)) state.over = true;
      if (state.over) end(null);
    };
    const end = (rest: SeedRange | null): void => {
      clearInterval(watch);
      void worker.terminate();
      resolve(rest);
    };
    const broke = (message: string): void => {
      report(brokenReport(seed, message));
      end({ ...range, from: seed + 1, count: range.from + range.count - seed - 1 });
    };
    const watch = setInterval(() => {
      if (state.over) end(null);
      else if (performance.now() - began > LONGEST_SEED) broke(`It hangs: no end within ${LONGEST_SEED / 1_000} s.`);
    }, LOOK_EVERY);
    worker.on("error", (error) =>
      broke(`It threw: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
    );
    worker.on("message", (message: WorkerMessage) => {
      if (message.kind === "report") return report(message.report);
      began = performance.now();
      if (message.kind === "begin") seed = message.seed;
      else {
        const next = queue.shift();
        if (next === undefined || state.over) return end(null);
        range = next;
        worker.postMessage(range);
      }
    });
    worker.postMessage(range);
  });
}

function brokenReport(seed: number, message: string): SimulationReport {
  const violations = [{ invariant: "simulation", message }];
  return { seed, hash: "", violations, counts: {}, sessions: 0, events: 0, steps: 0, story: [] };
}
