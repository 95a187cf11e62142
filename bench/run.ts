/**
 * The benchmark: `npm run bench [-- --quick] [-- --report] [-- --only ROW,…]`. Measures the built library beside the yardstick and
 * pi-agent-core, prints a table, and ends with 1 when a bar does not hold. `--report` only prints; `--quick` looks whether
 * everything runs, without a verdict.
 */
import { parseArgs } from "node:util";
import { build } from "tsdown";
import type { Figure } from "./figures.ts";
import { BUILT_JOBS } from "./job.ts";
import { FULL, type Plan, QUICK } from "./plan.ts";
import { deltasRows } from "./rows/deltas.ts";
import { loopRows } from "./rows/loop.ts";
import { memoryRows } from "./rows/memory.ts";
import { openRows } from "./rows/open.ts";
import { sizeRows } from "./rows/size.ts";
import { startRows } from "./rows/start.ts";
import { table } from "./table.ts";

const ROWS: Readonly<Record<string, (plan: Plan) => readonly Figure[]>> = {
  loop: loopRows,
  size: sizeRows,
  memory: memoryRows,
  start: startRows,
  deltas: deltasRows,
  open: openRows,
};

const { values } = parseArgs({
  options: { quick: { type: "boolean" }, report: { type: "boolean" }, only: { type: "string" } },
});
const wanted = values.only?.split(",") ?? Object.keys(ROWS);
const unknown = wanted.filter((row) => !Object.hasOwn(ROWS, row));
if (unknown.length > 0)
  throw new Error(`There is no row ${unknown.join(", ")}; there are ${Object.keys(ROWS).join(", ")}.`);

const started = performance.now();
// Jobs run as plain JavaScript: what strips types at run time would be measured with them.
await build({
  config: false,
  entry: ["bench/jobs/*.ts"],
  outDir: BUILT_JOBS,
  format: "esm",
  platform: "node",
  dts: false,
  fixedExtension: false,
  logLevel: "warn",
  deps: { neverBundle: [/^[^./]/] },
});
const figures: Figure[] = [];
for (const row of wanted) {
  const begun = performance.now();
  figures.push(...(ROWS[row]?.(values.quick === true ? QUICK : FULL) ?? []));
  console.error(`${row}: ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
}
console.log(values.quick === true ? table(figures.map((figure) => ({ ...figure, holds: null }))) : table(figures));
const failed = figures.filter(({ holds }) => holds === false);
console.log(
  `${figures.filter(({ holds }) => holds !== null).length} bars, ${failed.length} fail; ${((performance.now() - started) / 1_000).toFixed(0)} s`,
);
if (failed.length > 0 && values.report !== true && values.quick !== true) process.exitCode = 1;
