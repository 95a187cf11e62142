import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { atMost, type Figure, informs, median, spread } from "../figures.ts";
import { BUILT_JOBS } from "../job.ts";
import type { Plan } from "../plan.ts";

/** How long a process lives that does next to nothing. Wall clock: that is what somebody waits for. */
export function startRows({ starts }: Plan): readonly Figure[] {
  const runs = Array.from({ length: starts }, () => ({
    bare: lived([join(BUILT_JOBS, "nothing.js")]),
    construct: lived([join(BUILT_JOBS, "construct.js")]),
    evaluate: lived(["-e", "0"]),
    version: lived(["cli/bin/rein.js", "--version"]),
  }));
  const bare = runs.map((run) => run.bare);
  const construct = runs.map((run) => run.construct);
  const evaluate = runs.map((run) => run.evaluate);
  const version = runs.map((run) => run.version);
  return [
    informs(
      "start",
      "bare node, import and construct",
      [bare, construct].map((samples) => spread(samples, "ms")).join(" · "),
    ),
    atMost(
      "start",
      "import and construct over bare node",
      80,
      "ms",
      median(construct) - median(bare),
      "difference of the medians",
      0,
    ),
    informs(
      "start",
      "node -e 0, rein --version",
      [evaluate, version].map((samples) => spread(samples, "ms")).join(" · "),
    ),
    atMost(
      "start",
      "rein --version against node -e 0",
      1.3,
      "×",
      median(version) / median(evaluate),
      "ratio of the medians",
    ),
  ];
}

function lived(args: readonly string[]): number {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`node ${args.join(" ")} failed: ${stderr}`);
  return performance.now() - started;
}
