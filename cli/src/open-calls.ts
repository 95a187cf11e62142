import { type Agent, isKernelEvent, type State } from "rein";
import type { JudgedCall } from "./run-printer.ts";
import { sessionEvents } from "./session-events.ts";

/** The calls of a session that were judged and have no result yet. */
export async function openCalls(agent: Agent, { kernel }: State): Promise<readonly JudgedCall[]> {
  const store = await agent.store();
  const found: JudgedCall[] = [];
  for (const { call, name, judged, status } of kernel.open?.calls ?? []) {
    if (judged === null || status === "finished") continue;
    for await (const event of sessionEvents(store, kernel.session, judged)) {
      if (isKernelEvent(event) && event.type === "call.judged") found.push({ call, name, effects: event.data.effects });
      break;
    }
  }
  return found;
}
