import { expect, test } from "vitest";
import { play } from "./play.ts";
import { atCommit, DEATHS_IN_RECOVERY, INSIDE_EFFECTS, type Scenario, SMALL_WRITES } from "./points.ts";
import { faultsOf } from "./what-must-hold.ts";

const ALL: readonly Scenario[] = [
  ...atCommit(1),
  ...atCommit(5),
  ...INSIDE_EFFECTS,
  ...SMALL_WRITES,
  ...DEATHS_IN_RECOVERY,
];

/** A sample; `npm run crash-matrix` plays them all, and every border of every commit. */
const SAMPLE = [
  "after commit 1",
  "before commit 5",
  "after streamed text is kept",
  "in the model's stream, 400 ms after delta 7",
  "in the model's stream while it flows, at 650 ms",
  "in a read, after its bytes came",
  "in an own tool, after its effect",
  "in a write beside a running command, before the rename",
  "in a command between its announcement and the byte that lets it go",
  "in a running command, 60 ms after its grandchildren started",
  "in a running command, then after commit 2 of the recovery",
  "in a command, then while its survivors are being ended",
];

test.each(SAMPLE)("killed %s, the session goes on as it must", { timeout: 120_000 }, async (name) => {
  const scenario = ALL.find((known) => known.name === name);
  if (scenario === undefined) throw new Error(`There is no scenario "${name}".`);
  const played = await play(scenario);
  expect(played?.dead).toHaveLength(scenario.points.length);
  expect(played === null ? [] : faultsOf(played)).toEqual([]);
});
