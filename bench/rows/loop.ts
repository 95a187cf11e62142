import { atMost, type Figure, informs, median, spread } from "../figures.ts";
import { runJob } from "../job.ts";
import type { LogBytesInput, LogBytesOutput } from "../jobs/log-bytes.ts";
import type { LoopInput, LoopOutput } from "../jobs/loop.ts";
import type { Plan } from "../plan.ts";

/** Turns after which what a loop needs is loaded and compiled, for everybody. */
const WARM_UP = 1_000;
const STEPS = 800;
const EARLY = 300;
const LATE = 3_000;

/** The loop beside the yardstick and pi-agent-core, the cost of the log, and the cost of late turns. */
export function loopRows({ rounds, less }: Plan): readonly Figure[] {
  const turns = Math.ceil(STEPS / less);
  const warmUp = Math.ceil(WARM_UP / less);
  const bytes = runJob<LogBytesOutput>("log-bytes", { turns: 50 } satisfies LogBytesInput);
  const loop = (who: LoopInput["who"], log: boolean, more: Partial<LoopInput> = {}): LoopOutput =>
    runJob("loop", { who, turns, warmUp, bytes: log ? bytes : null, ...more } satisfies LoopInput);

  const runs = Array.from({ length: rounds }, () => ({
    rein: loop("rein", true).perTurn,
    bare: loop("bare", true).perTurn,
    pi: loop("pi", false).perTurn,
    reinOff: loop("rein", false).perTurn,
    bareOff: loop("bare", false).perTurn,
    cold: loop("rein", true, { warmUp: 0 }).perTurn,
    bareCold: loop("bare", true, { warmUp: 0 }).perTurn,
    piCold: loop("pi", false, { warmUp: 0 }).perTurn,
  }));
  const all = (of: (run: (typeof runs)[number]) => number): readonly number[] => runs.map(of);
  const ratio = (of: (run: (typeof runs)[number]) => number): { readonly value: number; readonly detail: string } => ({
    value: median(all(of)),
    detail: spread(all(of), "×", 2),
  });
  const toBare = ratio(({ rein, bare }) => rein / bare);
  const toPi = ratio(({ rein, pi }) => rein / pi);
  const log = ratio(({ rein, reinOff, bare, bareOff }) => (rein - reinOff) / (bare - bareOff));

  const late = less === 1 ? LATE : 600;
  const at = [EARLY, late];
  const aged = Array.from({ length: rounds }, () => {
    const rein = loop("rein", true, { turns: late + EARLY, at }).windows;
    const bare = loop("bare", true, { turns: late + EARLY, at }).windows;
    const own = at.map((_, index) => (rein[index] ?? 0) - (bare[index] ?? 0));
    return { early: own[0] ?? 0, late: own[1] ?? 0 };
  });
  const growth = aged.map((run) => run.late / run.early);

  return [
    turnCost(
      "a turn of Rein, log on",
      all(({ rein }) => rein),
    ),
    turnCost(
      "a turn of Rein, log off",
      all(({ reinOff }) => reinOff),
    ),
    turnCost(
      "a turn of the yardstick with its log",
      all(({ bare }) => bare),
    ),
    turnCost(
      "a turn of pi-agent-core, no log",
      all(({ pi }) => pi),
    ),
    atMost("loop", "800 steps, log on, against the yardstick", 2.5, "×", toBare.value, toBare.detail),
    atMost("loop", "800 steps, log on, against pi-agent-core without a log", 3, "×", toPi.value, toPi.detail),
    informs(
      "loop",
      "the first 800 steps of a process: Rein, yardstick, pi-agent-core",
      [all(({ cold }) => cold), all(({ bareCold }) => bareCold), all(({ piCold }) => piCold)]
        .map((samples) => spread(samples, "µs"))
        .join(" · "),
    ),
    informs(
      "loop",
      "own cost of a turn: around 300, around 3,000",
      [aged.map((run) => run.early), aged.map((run) => run.late)].map((samples) => spread(samples, "µs")).join(" · "),
    ),
    atMost("loop", "own cost of turn 3,000 against turn 300", 1.5, "×", median(growth), spread(growth, "×", 2)),
    atMost("loop", "cost of the log (on − off) against bare inserts of equal bytes", 2, "×", log.value, log.detail),
  ];
}

function turnCost(what: string, samples: readonly number[]): Figure {
  return informs("loop", what, spread(samples, "µs"));
}
