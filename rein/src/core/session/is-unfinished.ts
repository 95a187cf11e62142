import type { KernelState } from "./state.ts";

/** Whether the last run ended (at a limit, by an interrupt, a failure) where it is the model's turn to speak, so that a resume can go on there. */
export function isUnfinished({ run, history, terminated }: KernelState): boolean {
  if (run.active || run.ended === null || terminated) return false;
  const last = history.at(-1);
  return last !== undefined && !(last.kind === "assistant" && last.calls.length === 0);
}
