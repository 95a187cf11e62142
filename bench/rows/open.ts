import { rmSync } from "node:fs";
import { atMost, type Figure, median, spread } from "../figures.ts";
import { jobFolder, runJob } from "../job.ts";
import type { LongSessionInput, LongSessionOutput } from "../jobs/long-session.ts";
import type { OpenInput, OpenOutput } from "../jobs/open.ts";
import type { Plan } from "../plan.ts";

/** Five events a turn, so 100,000 events of 100 MB in all. */
const TURNS = 20_000;
const CHARACTERS = 4_200;

/** Opening a long session. CPU time until the part `session_opened`, which says from where it was opened. */
export function openRows({ rounds, less }: Plan): readonly Figure[] {
  const folder = jobFolder();
  try {
    const made = runJob<LongSessionOutput>("long-session", {
      folder,
      turns: Math.ceil(TURNS / less),
      characters: CHARACTERS,
      tail: 20,
    } satisfies LongSessionInput);
    const open = (cold: boolean): OpenOutput =>
      runJob("open", { folder, session: made.session, cold } satisfies OpenInput);
    const warm = Array.from({ length: rounds }, () => open(false));
    const cold = Array.from({ length: rounds }, () => open(true));
    return [
      figure(`${made.events} events, from a snapshot with its tail verified`, "snapshot", 250, warm),
      figure("the same, cold", "cold", 2_000, cold),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function figure(what: string, how: string, most: number, runs: readonly OpenOutput[]): Figure {
  const cpu = runs.map((run) => run.cpu);
  const wall = runs.map((run) => run.wall);
  const said = [...new Set(runs.map((run) => run.how))].join(", ");
  const read = median(runs.map((run) => run.read));
  const details = [`wall ${spread(wall, "ms")}`, `says "${said}"`, `${read} events read`];
  const figured = atMost("open", what, { most, unit: "ms" }, cpu, ...details);
  return said === how ? figured : { ...figured, holds: false };
}
