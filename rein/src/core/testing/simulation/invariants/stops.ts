import { isKernelEvent } from "../../../session/index.ts";
import type { Invariant, SessionRecord } from "../recording.ts";

/** Behind an interrupt or a kill nothing begins, and the run ends as what stopped it. */
export const stops: Invariant = {
  name: "stops",
  check: ({ sessions }) => sessions.flatMap(faultsOf),
};

function faultsOf({ session, events, base }: SessionRecord): readonly string[] {
  const faults: string[] = [];
  let active = false;
  let stopped: "interrupted" | "killed" | null = null;
  for (const event of events) {
    if (!isKernelEvent(event)) continue;
    switch (event.type) {
      case "run.started":
        active = true;
        stopped = null;
        break;
      case "run.interrupted":
        if (active) stopped ??= "interrupted";
        break;
      case "run.killed":
        if (active) stopped = "killed";
        break;
      case "tool.started":
      case "model.requested":
        if (stopped !== null && event.seq > base)
          faults.push(`${session} event ${event.seq}: ${event.type} although the run is ${stopped}.`);
        break;
      case "run.ended":
        // A fork ends its parent's run itself.
        if (
          stopped !== null &&
          event.data.reason !== stopped &&
          event.seq > base &&
          event.data.reason !== "interrupted"
        )
          faults.push(
            `${session} event ${event.seq}: the run ends as ${event.data.reason} although it was ${stopped}.`,
          );
        active = false;
        stopped = null;
        break;
      default:
        break;
    }
  }
  return faults;
}
