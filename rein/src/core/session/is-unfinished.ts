import type { EndReason } from "./kernel-events.ts";
import type { KernelState } from "./state.ts";

/** Ends with an answer: a notice that came behind it, such as of a loss of the store, asks for no other. */
const ANSWERED: readonly EndReason[] = ["done", "goal_reached", "goal_missed"];

/** Whether the last run ended (at a limit, by an interrupt, a failure) where it is the model's turn to speak, so that a resume can go on there. */
export function isUnfinished({ run, history, terminated }: KernelState): boolean {
  if (run.active || run.ended === null || terminated) return false;
  if (ANSWERED.includes(run.ended.reason)) return false;
  const last = history.at(-1);
  return last !== undefined && !(last.kind === "assistant" && last.calls.length === 0);
}
