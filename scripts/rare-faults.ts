/** How often each kind of thing must have happened per 1,000 seeds: a simulation in which nothing goes wrong proves nothing. */
const LEAST: Readonly<Record<string, number>> = {
  "crash at random": 300,
  "crash before-commit": 50,
  "crash after-commit": 50,
  "crash in a tool": 50,
  "crash in a fork": 5,
  freeze: 50,
  "freeze beyond the lease": 50,
  "drive ended lost": 20,
  "take-up refused lease_held": 100,
  "clock step": 50,
  "store clock step": 20,
  "kill by force": 20,
  "caller left": 50,
  "survivor ended": 5,
  snapshot: 100,
  fork: 50,
  "store commit-fails": 20,
  "store answer-lost": 20,
  "store read-fails": 50,
  "store commit-delayed": 100,
  "store notice-doubled": 50,
  "model error": 100,
  "model cut": 50,
  "model stall": 20,
  "model deaf-stall": 20,
  "model drip": 50,
  "model done-twice": 20,
  "model throw": 20,
  "tool throw": 20,
  "tool throw-after": 20,
  "tool hang": 20,
  "tool timeout": 20,
  "tool deaf": 50,
  "tool crash-before-effect": 20,
  "tool crash-after-effect": 20,
  "answer late": 50,
  "answer twice": 50,
  "answer both": 20,
  "answer wrong digest": 50,
  "answer never": 10,
  "command put twice": 100,
  "event command.refused approve": 50,
  "event command.refused input": 20,
  "event brain.woke recovered": 100,
  "event brain.woke stolen": 10,
  "event tool.finished unknown": 50,
  "event tool.finished interrupted": 100,
  "event tool.finished denied": 100,
  "event tool.requeued": 50,
  "event model.interrupted": 100,
  "event model.requested recovered": 50,
  "event model.requested model_retry": 50,
  "event model.requested model_fallback": 20,
  "event model.requested output_truncated": 50,
  "event run.ended killed": 20,
  "event run.ended interrupted": 100,
  "event timer.rearmed": 50,
};

/** What happened too rarely in that many seeds, a sentence each; nothing is said of fewer seeds than tell anything. */
export function rareFaults(counts: ReadonlyMap<string, number>, seeds: number): readonly string[] {
  if (seeds < 200) return [];
  return Object.entries(LEAST).flatMap(([kind, least]) => {
    const wanted = Math.floor((least * seeds) / 1_000);
    const found = counts.get(kind) ?? 0;
    return found >= wanted
      ? []
      : [`"${kind}" happened ${found} times in ${seeds} seeds, at least ${wanted} were expected.`];
  });
}
