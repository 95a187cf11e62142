import type { Clock } from "./ports.ts";

/** Calls back once after `ms`, unless it is taken back by what is returned. For timers that are nearly always taken back. */
export function startTimer(clock: Clock, ms: number, call: () => void): () => void {
  if (clock.after !== undefined) return clock.after(ms, call);
  const stop = new AbortController();
  void clock.sleep(ms, stop.signal).then(() => {
    if (!stop.signal.aborted) call();
  });
  // With a reason, because without one Node makes an error with a stack each time.
  return () => stop.abort("over");
}
