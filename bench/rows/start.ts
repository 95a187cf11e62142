import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { atMost, type Figure, informs, spread } from "../figures.ts";
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
  const all = (of: (run: (typeof runs)[number]) => number): readonly number[] => runs.map(of);
  return [
    informs(
      "start",
      "bare node",
      spread(
        all(({ bare }) => bare),
        "ms",
      ),
    ),
    informs(
      "start",
      "import and construct",
      spread(
        all(({ construct }) => construct),
        "ms",
      ),
    ),
    atMost(
      "start",
      "import and construct over bare node",
      { most: 80, unit: "ms" },
      all((run) => run.construct - run.bare),
    ),
    informs(
      "start",
      "node -e 0",
      spread(
        all(({ evaluate }) => evaluate),
        "ms",
      ),
    ),
    informs(
      "start",
      "rein --version",
      spread(
        all(({ version }) => version),
        "ms",
      ),
    ),
    atMost(
      "start",
      "rein --version against node -e 0",
      { most: 1.3, unit: "×", digits: 2 },
      all((run) => run.version / run.evaluate),
    ),
  ];
}

function lived(args: readonly string[]): number {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`node ${args.join(" ")} failed: ${stderr}`);
  return performance.now() - started;
}
