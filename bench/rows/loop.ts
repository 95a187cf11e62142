import { atMost, type Figure, informs, spread } from "../figures.ts";
import { runJob } from "../job.ts";
import type { LogBytesInput, LogBytesOutput } from "../jobs/log-bytes.ts";
import type { LoopInput, LoopOutput } from "../jobs/loop.ts";
import type { Plan } from "../plan.ts";

const STEPS = 800;
/** Runs after which nobody gets much faster any more. */
const RUNS_BEFORE = 10;
/** Warm runs of one process, of which the median counts: of a single one a fifth to a half may be what is compiled or collected just then. */
const WARM_RUNS = 3;
const EARLY = 300;
const LATE = 3_000;

type Who = LoopInput["who"];

/** The loop beside the yardstick and pi-agent-core, the cost of the log, and the cost of late turns. */
export function loopRows({ rounds, less }: Plan): readonly Figure[] {
  const turns = Math.ceil(STEPS / less);
  const warm = less === 1 ? RUNS_BEFORE : 1;
  const bytes = runJob<LogBytesOutput>("log-bytes", { turns: 50 } satisfies LogBytesInput);
  const loop = (who: Who, log: boolean, runsBefore = warm, more: Partial<LoopInput> = {}): LoopOutput => {
    const runs = runsBefore === 0 ? 1 : WARM_RUNS;
    return runJob("loop", { who, turns, runsBefore, runs, bytes: log ? bytes : null, ...more } satisfies LoopInput);
  };

  const runs = Array.from({ length: rounds }, () => ({
    rein: loop("rein", true).perTurn,
    bare: loop("bare", true).perTurn,
    pi: loop("pi", false).perTurn,
    reinOff: loop("rein", false).perTurn,
    bareOff: loop("bare", false).perTurn,
    reinFirst: loop("rein", true, 0).perTurn,
    bareFirst: loop("bare", true, 0).perTurn,
    piFirst: loop("pi", false, 0).perTurn,
  }));
  type Run = (typeof runs)[number];
  const cost = (what: string, of: (run: Run) => number): Figure => informs("loop", what, spread(runs.map(of), "µs"));
  const ratio = (what: string, most: number, of: (run: Run) => number): Figure =>
    atMost("loop", what, { most, unit: "×", digits: 2 }, runs.map(of));

  const late = less === 1 ? LATE : 600;
  const at = [EARLY, late];
  const aged = Array.from({ length: rounds }, () => {
    const own = (rein: LoopOutput, bare: LoopOutput): readonly number[] =>
      at.map((_, index) => (rein.windows[index] ?? 0) - (bare.windows[index] ?? 0));
    const long = { turns: late + EARLY, at };
    const [early = 0, end = 0] = own(loop("rein", true, warm, long), loop("bare", true, warm, long));
    return { early, late: end };
  });
  const growth = aged.map((run) => run.late / run.early);

  return [
    cost("a turn of Rein, log on", ({ rein }) => rein),
    cost("a turn of Rein, log off", ({ reinOff }) => reinOff),
    cost("a turn of the yardstick, log on", ({ bare }) => bare),
    cost("a turn of the yardstick, log off", ({ bareOff }) => bareOff),
    cost("a turn of pi-agent-core, no log", ({ pi }) => pi),
    ratio("800 steps, log on, against the yardstick", 2.5, ({ rein, bare }) => rein / bare),
    ratio("800 steps, log on, against pi-agent-core without a log", 3, ({ rein, pi }) => rein / pi),
    ratio(
      "cost of the log (on − off) against bare inserts of equal bytes",
      2,
      ({ rein, reinOff, bare, bareOff }) => (rein - reinOff) / (bare - bareOff),
    ),
    cost("first run of a process: a turn of Rein, log on", ({ reinFirst }) => reinFirst),
    cost("first run of a process: a turn of the yardstick, log on", ({ bareFirst }) => bareFirst),
    cost("first run of a process: a turn of pi-agent-core, no log", ({ piFirst }) => piFirst),
    ratio("first run of a process: against the yardstick", 2.5, ({ reinFirst, bareFirst }) => reinFirst / bareFirst),
    ratio("first run of a process: against pi-agent-core", 3, ({ reinFirst, piFirst }) => reinFirst / piFirst),
    informs(
      "loop",
      "own cost of a turn (without the yardstick's): around 300, around 3,000",
      [aged.map((run) => run.early), aged.map((run) => run.late)].map((samples) => spread(samples, "µs")).join(" · "),
    ),
    atMost("loop", "own cost of turn 3,000 against turn 300", { most: 1.5, unit: "×", digits: 2 }, growth),
  ];
}
