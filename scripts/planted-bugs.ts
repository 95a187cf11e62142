/**
 * Shows that the simulation finds bugs: puts each of a list of bugs into a copy of the sources and runs seeds until the invariant
 * that is meant for it tells. Fails when one is not found, or when the place of a bug is not there any more.
 *
 *   node scripts/planted-bugs.ts [--seeds 500] [--workers 2] [--only INVARIANT]
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { PLANTED_BUGS, type PlantedBug } from "./planted-bugs.data.ts";
import { runSeeds } from "./simulation-pool.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "500" },
    workers: { type: "string", default: String(Math.min(2, availableParallelism())) },
    only: { type: "string" },
  },
});

interface Found {
  readonly seed: number | null;
  /** Other invariants that told on the way there. */
  readonly others: readonly string[];
}

const source = fileURLToPath(new URL("../rein/src", import.meta.url));

/** Copies the sources that a simulation needs and puts the bug in. Throws when its text does not stand there exactly once. */
function plant({ file, search, replace, bug }: PlantedBug): string {
  const root = mkdtempSync(join(tmpdir(), "rein-planted-"));
  for (const room of ["core", "store"]) cpSync(join(source, room), join(root, room), { recursive: true });
  writeFileSync(join(root, "package.json"), '{ "type": "module" }\n');
  const text = readFileSync(join(root, file), "utf8");
  const times = text.split(search).length - 1;
  if (times !== 1)
    throw new Error(`The place for "${bug}" stands ${times} times in ${file}: give the search text anew.`);
  writeFileSync(
    join(root, file),
    text.replace(search, () => replace),
  );
  return root;
}

async function find(bug: PlantedBug): Promise<Found> {
  const root = plant(bug);
  const others = new Set<string>();
  let first: number | null = null;
  try {
    await runSeeds({
      source: root,
      from: 1,
      count: Number(values.seeds),
      workers: Number(values.workers),
      onReport({ seed, violations }) {
        for (const { invariant } of violations) if (invariant !== bug.invariant) others.add(invariant);
        if (violations.some(({ invariant }) => invariant === bug.invariant)) first = Math.min(first ?? seed, seed);
        return first !== null;
      },
    });
  } finally {
    rmSync(root, { recursive: true });
  }
  return { seed: first, others: [...others].sort() };
}

const began = performance.now();
const bugs = PLANTED_BUGS.filter(({ invariant }) => values.only === undefined || invariant === values.only);
let missed = 0;
console.log("bug | invariant | found at seed | others that told");
for (const bug of bugs) {
  const { seed, others } = await find(bug);
  if (seed === null) missed += 1;
  console.log(`${bug.bug} | ${bug.invariant} | ${seed ?? `NOT FOUND in ${values.seeds}`} | ${others.join(" ") || "–"}`);
}
console.log(
  `planted bugs: ${bugs.length - missed} of ${bugs.length} found, ${Math.round((performance.now() - began) / 1000)} s`,
);
if (missed > 0 || bugs.length === 0) process.exitCode = 1;
