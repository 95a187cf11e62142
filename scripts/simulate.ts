/**
 * Runs the simulation: each seed is a world of its own, looked at through all invariants.
 *
 *   npm run simulate -- --seeds 500 [--from 1] [--workers 2]     many seeds; fails when one does, or when too little went wrong in them
 *   npm run simulate -- --seed 17 --trace                        one seed, with its story
 */
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { SimulationReport } from "../rein/src/core/testing/index.ts";
import { rareFaults } from "./rare-faults.ts";
import { runSeeds } from "./simulation-pool.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "500" },
    from: { type: "string", default: "1" },
    workers: { type: "string", default: String(Math.min(2, availableParallelism())) },
    seed: { type: "string" },
    trace: { type: "boolean", default: false },
    counts: { type: "boolean", default: false },
  },
});

const number = (name: "seeds" | "from" | "workers" | "seed", text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) {
    console.error(`--${name} takes a whole number from 1, not ${JSON.stringify(text)}.`);
    process.exit(2);
  }
  return value;
};

const one = values.seed === undefined ? null : number("seed", values.seed);
const from = one ?? number("from", values.from);
const seeds = one === null ? number("seeds", values.seeds) : 1;
const workers = number("workers", values.workers);

/** Failures that are shown in full. */
const SHOWN = 20;

const counts = new Map<string, number>();
const failed: SimulationReport[] = [];
let done = 0;
let events = 0;
let steps = 0;
const began = performance.now();

function take(report: SimulationReport): boolean {
  done += 1;
  events += report.events;
  steps += report.steps;
  for (const [kind, count] of Object.entries(report.counts)) counts.set(kind, (counts.get(kind) ?? 0) + count);
  for (const line of report.story) console.log(line);
  if (report.violations.length > 0) failed.push(report);
  if (report.violations.length > 0 && failed.length <= SHOWN) tell(report);
  if (done % 5_000 === 0) console.log(`simulation: ${done} of ${seeds} seeds, ${failed.length} failed, ${seconds()} s`);
  return false;
}

function tell({ seed, violations }: SimulationReport): void {
  for (const { invariant, message } of violations.slice(0, 5)) console.log(`seed ${seed}: ${invariant}: ${message}`);
  if (violations.length > 5) console.log(`seed ${seed}: and ${violations.length - 5} more`);
  console.log(`  npm run simulate -- --seed ${seed} --trace`);
}

function seconds(): number {
  return Math.round((performance.now() - began) / 100) / 10;
}

const source = fileURLToPath(new URL("../rein/src", import.meta.url));
await runSeeds({ source, from, count: seeds, workers, trace: values.trace, onReport: take });

const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
if (values.counts) for (const [kind, count] of sorted) console.log(`${kind}: ${count}`);
const rare = one === null ? rareFaults(counts, seeds) : [];
for (const line of rare) console.log(`simulation: ${line}`);
const perSecond = Math.round((done / (performance.now() - began)) * 10_000) / 10;
console.log(
  `simulation: ${done} seeds from ${from}, ${failed.length} failed, ${events} events, ${steps} steps, ${seconds()} s, ${perSecond} seeds/s, ${workers} workers`,
);
if (one === null) console.log(`simulation: ${faultLine()}`);
if (failed.length > 0 || rare.length > 0 || done !== seeds) process.exitCode = 1;

function faultLine(): string {
  const sum = (prefix: string): number =>
    sorted.filter(([kind]) => kind.startsWith(prefix)).reduce((all, [, count]) => all + count, 0);
  return [
    `${sum("crash ")} crashes`,
    `${sum("freeze")} freezes`,
    `${sum("drive ended lost")} drives lost`,
    `${sum("answer late") + sum("answer twice") + sum("answer both") + sum("answer wrong digest")} late, double or wrong answers`,
    `${sum("store ")} faults of the store`,
    `${sum("model ")} of models`,
    `${sum("tool ")} of tools`,
    `${sum("clock step") + sum("store clock step")} clock steps`,
    `${sum("fork")} forks`,
    `${sum("event tool.finished unknown")} unknown outcomes`,
  ].join(", ");
}
