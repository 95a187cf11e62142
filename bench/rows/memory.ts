import { atMost, type Figure, informs, spread } from "../figures.ts";
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
  const many = (atOnce: number): number =>
    runJob<ManySessionsOutput>("many-sessions", { sessions, turns: 20, atOnce } satisfies ManySessionsInput).peak;
  const runs = Array.from({ length: rounds }, () => ({
    rein: runJob<LoopOutput>("loop", { who: "rein", turns, runsBefore: 0, bytes: NO_BYTES } satisfies LoopInput).peak,
    bare: runJob<LoopOutput>("loop", { who: "bare", turns, runsBefore: 0, bytes: NO_BYTES } satisfies LoopInput).peak,
    pi: runJob<LoopOutput>("loop", { who: "pi", turns, runsBefore: 0, bytes: null } satisfies LoopInput).peak,
    one: many(1),
    ten: many(10),
    together: many(sessions),
  }));
  const idle = runJob<IdleSessionsOutput>(
    "idle-sessions",
    { sessions: Math.ceil(1_000 / less), turns: 5 } satisfies IdleSessionsInput,
    ["--expose-gc"],
  ).each;
  const peaks = (of: (run: (typeof runs)[number]) => number): readonly number[] => runs.map(of);
  const bar = { most: 130, unit: "MB" };
  return [
    atMost(
      "memory",
      "peak at 1,000 turns, log on",
      { most: 90, unit: "MB" },
      peaks(({ rein }) => rein),
    ),
    informs(
      "memory",
      "the same: yardstick",
      spread(
        peaks(({ bare }) => bare),
        "MB",
      ),
    ),
    informs(
      "memory",
      "the same: pi-agent-core, no log",
      spread(
        peaks(({ pi }) => pi),
        "MB",
      ),
    ),
    atMost(
      "memory",
      "200 sessions × 20 turns, log on, one after another",
      bar,
      peaks(({ one }) => one),
    ),
    atMost(
      "memory",
      "the same, ten at once",
      bar,
      peaks(({ ten }) => ten),
    ),
    atMost(
      "memory",
      "the same, all at once",
      bar,
      peaks(({ together }) => together),
    ),
    atMost("memory", "an idle session, folded", { most: 20, unit: "KB", digits: 1 }, [idle / 1_000]),
  ];
}
