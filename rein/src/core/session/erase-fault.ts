import { type ReinError, reinError } from "../errors.ts";
import { KERNEL_EVENTS, type KernelEventType } from "./kernel-events.ts";

/**
 * The kernel's events whose data is what was said, asked, seen or answered: without it a session folds on, and asks again where
 * something is open. All others say what was begun, decided or ended: without them recovery would do another thing, such as run an
 * effect twice or go on with a session that was killed.
 */
const CONTENT: ReadonlySet<string> = new Set([
  "input.received",
  "model.responded",
  "model.interrupted",
  "notice.added",
  "call.judged",
  "approval.requested",
  "approval.answered",
  "tool.finished",
  "context.captured",
  "history.compacted",
] satisfies readonly KernelEventType[]);

/** Whether the data of an event of this type may be erased. What is not the kernel's may always: the kernel decides nothing by it. */
export function isErasable(type: string): boolean {
  return CONTENT.has(type) || !Object.hasOwn(KERNEL_EVENTS, type);
}

/** Why an event may not be erased (`invalid_option`); null when it may. Every store asks this in `erase`, before it changes anything. */
export function eraseFault(session: string, seq: number, type: string): ReinError | null {
  if (isErasable(type)) return null;
  return reinError(
    "invalid_option",
    `Event ${seq} of session ${JSON.stringify(session)} is a ${type}: without it the session could not be resumed rightly, so it is not erased.`,
    "Erase the events that hold what was said: inputs, answers of the model, judged and asked calls, results. To be rid of all of it, remove the session.",
    { place: { stream: session, seq } },
  );
}
