import { atMost, type Figure, informs, median, spread } from "../figures.ts";
import { runJob } from "../job.ts";
import type { IdleSessionsInput, IdleSessionsOutput } from "../jobs/idle-sessions.ts";
import type { LoopInput, LoopOutput } from "../jobs/loop.ts";
import type { ManySessionsInput, ManySessionsOutput } from "../jobs/many-sessions.ts";
import type { Plan } from "../plan.ts";

const NO_BYTES = { request: 1, answer: 1 };

/** Most resident memory of a process, and the heap of sessions at rest. Plain Node, no flags. */
export function memoryRows({ rounds, less }: Plan): readonly Figure[] {
  const turns = Math.ceil(1_000 / less);
  const sessions = Math.ceil(200 / less);
  const runs = Array.from({ length: rounds }, () => ({
    rein: runJob<LoopOutput>("loop", { who: "rein", turns, warmUp: 0, bytes: NO_BYTES } satisfies LoopInput).peak,
    bare: runJob<LoopOutput>("loop", { who: "bare", turns, warmUp: 0, bytes: NO_BYTES } satisfies LoopInput).peak,
    pi: runJob<LoopOutput>("loop", { who: "pi", turns, warmUp: 0, bytes: null } satisfies LoopInput).peak,
    many: runJob<ManySessionsOutput>("many-sessions", { sessions, turns: 20, atOnce: 1 } satisfies ManySessionsInput)
      .peak,
    together: runJob<ManySessionsOutput>("many-sessions", {
      sessions,
      turns: 20,
      atOnce: sessions,
    } satisfies ManySessionsInput).peak,
  }));
  const idle = runJob<IdleSessionsOutput>(
    "idle-sessions",
    { sessions: Math.ceil(1_000 / less), turns: 5 } satisfies IdleSessionsInput,
    ["--expose-gc"],
  ).each;
  const peaks = (of: (run: (typeof runs)[number]) => number): readonly number[] => runs.map(of);
  const rein = peaks((run) => run.rein);
  const many = peaks((run) => run.many);
  const together = peaks((run) => run.together);
  return [
    atMost("memory", "peak at 1,000 turns, log on", 90, "MB", median(rein), spread(rein, "MB"), 0),
    informs(
      "memory",
      "the same: yardstick, pi-agent-core",
      [peaks((run) => run.bare), peaks((run) => run.pi)].map((samples) => spread(samples, "MB")).join(" · "),
    ),
    atMost(
      "memory",
      "200 sessions × 20 turns one after another, log on",
      130,
      "MB",
      median(many),
      spread(many, "MB"),
      0,
    ),
    atMost("memory", "the same, all at once", 130, "MB", median(together), spread(together, "MB"), 0),
    atMost("memory", "an idle session, folded", 20, "KiB", idle / 1_024, "", 1),
  ];
}
