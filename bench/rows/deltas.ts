import { atMost, type Figure, informs, spread } from "../figures.ts";
import { runJob } from "../job.ts";
import type { DeltasInput, DeltasOutput } from "../jobs/deltas.ts";
import type { Plan } from "../plan.ts";

/** A delta from the stub to the caller. That a caller who stops reading stops the model is a test: `drive-stream.test.ts`. */
export function deltasRows({ rounds, less }: Plan): readonly Figure[] {
  const deltas = Math.ceil(40_000 / less);
  const measure = (who: DeltasInput["who"]): number =>
    runJob<DeltasOutput>("deltas", { who, deltas } satisfies DeltasInput).perDelta;
  const runs = Array.from({ length: rounds }, () => ({ rein: measure("rein"), bare: measure("bare") }));
  const ratios = runs.map(({ rein, bare }) => rein / bare);
  const cost = (who: DeltasInput["who"]): string =>
    spread(
      runs.map((run) => run[who]),
      "µs",
      2,
    );
  return [
    informs("deltas", "a delta: Rein", cost("rein")),
    informs("deltas", "a delta: yardstick", cost("bare")),
    atMost("deltas", "a delta through agent.run against the yardstick", { most: 1.3, unit: "×", digits: 2 }, ratios),
  ];
}
