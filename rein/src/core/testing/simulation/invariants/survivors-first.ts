import { isKernelEvent } from "../../../session/index.ts";
import { commitFinder } from "../commit-finder.ts";
import type { Invariant } from "../recording.ts";

/** A call is closed only when no process of it can act any more, and nobody ends the processes of another session. */
export const survivorsFirst: Invariant = {
  name: "survivors-first",
  check(recording) {
    const commitOf = commitFinder(recording);
    const closed = new Map<string, number>();
    for (const { session, events, base } of recording.sessions) {
      for (const event of events.slice(base)) {
        if (!isKernelEvent(event) || event.type !== "tool.finished") continue;
        const place = `${session} ${event.data.call}`;
        const commit = commitOf(session, event.seq);
        if (commit !== undefined && !closed.has(place)) closed.set(place, commit.order);
      }
    }
    const faults: string[] = [];
    for (const { session, call, byProcess, order } of recording.effects) {
      const end = closed.get(`${session} ${call}`);
      if (byProcess && end !== undefined && order > end)
        faults.push(`${session} ${call}: its process acts behind its end.`);
    }
    for (const { by, session, life } of recording.survivors) {
      if (by !== session) faults.push(`${life} ends a process of ${session} for ${by}.`);
    }
    return faults;
  },
};
