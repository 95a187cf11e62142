import { atMost, type Figure, informs, median, spread } from "../figures.ts";
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
  const both = [runs.map(({ rein }) => rein), runs.map(({ bare }) => bare)];
  return [
    informs("deltas", "a delta: Rein, yardstick", both.map((samples) => spread(samples, "µs", 2)).join(" · ")),
    atMost(
      "deltas",
      "a delta through agent.run against the yardstick",
      1.3,
      "×",
      median(ratios),
      spread(ratios, "×", 2),
    ),
  ];
}
