import { type ReinError, reinError } from "../errors.ts";
import { KERNEL_EVENTS, type KernelEvents, type KernelEventType } from "./kernel-events.ts";
import type { StoredEvent } from "./store.ts";

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

/**
 * Why an event may not be erased (`invalid_option`); null when it may. Every store asks this in `erase`, before it changes anything.
 * `follow` reads for each session that holds the event what stands in it from a seq on, a page at a time, empty at the end.
 */
export function eraseFault(
  session: string,
  seq: number,
  type: string,
  follow: readonly ((from: number) => readonly StoredEvent[])[],
): ReinError | null {
  if (!isErasable(type)) {
    return reinError(
      "invalid_option",
      `Event ${seq} of session ${JSON.stringify(session)} is a ${type}: without it the session could not be resumed rightly, so it is not erased.`,
      "Erase the events that hold what was said: inputs, answers of the model, judged and asked calls, results. To be rid of all of it, remove the session.",
      { place: { stream: session, seq } },
    );
  }
  if (type !== "model.responded" || !follow.some((read) => hasBegunCall(seq, read))) return null;
  return reinError(
    "invalid_option",
    `Event ${seq} of session ${JSON.stringify(session)} holds a call that was begun and has not ended: without it nobody would end what it left running, so it is not erased.`,
    "Erase it once the call has ended: resume the session, or kill it. To be rid of all of it, remove the session.",
    { place: { stream: session, seq } },
  );
}

/** Whether a call of the answer at `seq` was begun and nothing behind says that it ended. The next request, and the end of the run, close them all. */
function hasBegunCall(seq: number, read: (from: number) => readonly StoredEvent[]): boolean {
  const begun = new Set<string>();
  for (let from = seq + 1; ; ) {
    const page = read(from);
    if (page.length === 0) return begun.size > 0;
    for (const { type, data } of page) {
      if (type === "model.requested" || type === "run.ended") return false;
      if (type === "tool.started") begun.add(callIn(data));
      if (type === "tool.finished" || type === "tool.requeued") begun.delete(callIn(data));
    }
    from += page.length;
  }
}

function callIn(data: string | null): string {
  const { call }: Partial<KernelEvents["tool.started"]> = JSON.parse(data ?? "{}") ?? {};
  return String(call);
}
