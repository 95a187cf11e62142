/** Runs simulations in a thread of its own: gets ranges of seeds, answers with what came of them. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parentPort, workerData } from "node:worker_threads";
import type { SimulationReport } from "../rein/src/core/testing/index.ts";

/** What a worker is told when it starts. */
export interface WorkerSetup {
  /** Folder of the library's sources. */
  readonly source: string;
}

/** Seeds to run. */
export interface SeedRange {
  readonly from: number;
  readonly count: number;
  readonly trace: boolean;
}

/** What a worker says: that a seed begins, what came of it, or that the range is done. */
export type WorkerMessage =
  | { readonly kind: "begin"; readonly seed: number }
  | { readonly kind: "report"; readonly report: SimulationReport }
  | { readonly kind: "done" };

const { source }: WorkerSetup = workerData;
const load = (path: string) => import(pathToFileURL(resolve(source, path)).href);
const { simulate } = await load("core/testing/index.ts");
const { createMemoryStore } = await load("store/memory.ts");

const say = (message: WorkerMessage): void => parentPort?.postMessage(message);

async function run({ from, count, trace }: SeedRange): Promise<void> {
  for (let seed = from; seed < from + count; seed += 1) {
    say({ kind: "begin", seed });
    const report: SimulationReport = await simulate({ seed, createStore: createMemoryStore, trace });
    say({ kind: "report", report });
  }
  say({ kind: "done" });
}

parentPort?.on("message", (range: SeedRange) => void run(range));
