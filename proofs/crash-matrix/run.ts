/**
 * The whole matrix: `npm run crash-matrix [-- --only TEXT] [-- --at-once 2]`. A real process is killed at every commit border and inside every effect of
 * the scripted task, and once more in its recovery; each scenario must hold to `what-must-hold.ts`. Prints each and a verdict.
 */
import { parseArgs } from "node:util";
import { play } from "./play.ts";
import { atCommit, DEATHS_IN_RECOVERY, INSIDE_EFFECTS, type Scenario, SMALL_WRITES } from "./points.ts";
import type { Played } from "./records.ts";
import { faultsOf } from "./what-must-hold.ts";

/** How calls fall into commits differs from run to run: only after so many borders in a row that are not there do no more come. */
const MISSES = 3;

const { values } = parseArgs({ options: { only: { type: "string" }, "at-once": { type: "string", default: "2" } } });
const started = performance.now();
let played = 0;
let faulty = 0;
let deaths = 0;

/** Plays a scenario and prints it; false when there is no such point. */
async function show(scenario: Scenario): Promise<boolean> {
  if (values.only !== undefined && !scenario.name.includes(values.only)) return true;
  const record = await play(scenario);
  if (record === null) return false;
  const faults = faultsOf(record);
  played += 1;
  deaths += record.dead.length;
  if (faults.length > 0) faulty += 1;
  console.log(`${faults.length === 0 ? "ok    " : "FAULTY"} ${scenario.name}${inTheAir(record)}`);
  for (const fault of faults) console.log(`         ${fault}`);
  return true;
}

/** What the commit held at which the first life died. */
function inTheAir({ scenario, told }: Played): string {
  if (scenario.points[0]?.at !== "commit") return "";
  const asked = told.findLast((line) => line.life === 1 && line.what === "asks");
  const types = asked?.what === "asks" ? asked.types : [];
  return ` (${types.join(", ") || "release"})`;
}

async function showAll(scenarios: readonly Scenario[]): Promise<void> {
  const rest = scenarios.values();
  const work = async (): Promise<void> => {
    for (const scenario of rest) {
      if (await show(scenario)) continue;
      faulty += 1;
      console.log(`FAULTY ${scenario.name}: the task ends before this point`);
    }
  };
  await Promise.all(Array.from({ length: Number(values["at-once"]) }, work));
}

async function showCommits(): Promise<number> {
  let misses = 0;
  let last = 0;
  for (let n = 1; misses < MISSES; n += 1) {
    const found = await Promise.all(atCommit(n).map(show));
    misses = found.every((there) => there) ? 0 : misses + 1;
    if (misses === 0) last = n;
    if (values.only !== undefined && n === 100) break;
  }
  return last;
}

const commits = await showCommits();
await showAll([...SMALL_WRITES, ...INSIDE_EFFECTS, ...DEATHS_IN_RECOVERY]);
const seconds = Math.round((performance.now() - started) / 1000);
console.log(
  `crash matrix: ${played} scenarios, ${deaths} processes killed, ${values.only === undefined ? `${commits} commits with both borders` : "a part of the matrix"}, ${faulty} faulty, ${seconds} s`,
);
if (faulty > 0 || played === 0) process.exitCode = 1;
