import type { PendingCall } from "../../ports.ts";
import type { NewEvent } from "../../session/event.ts";
import type { KernelEvents } from "../../session/kernel-events.ts";
import type { Effect, Runner } from "../../session/part.ts";
import { dataOf } from "../data-of.ts";
import { callOf, loadJudgement, loadPending, openCall, pendingCall } from "./call-data.ts";

/** Asks a person. The request shows exactly what an approval is bound to: the call as it would run. */
export const ask: Runner = {
  start: (effect, context, recent) => {
    const pending = pendingCall(effect, context, recent);
    const judged = openCall(effect, context)?.judged ?? null;
    const judgement = judged === null ? undefined : dataOf("call.judged", recent(judged));
    if (pending !== null && judgement !== undefined) return { outcome: asked(effect, pending, judgement) };
    return {
      go: async () => asked(effect, await loadPending(effect, context), await loadJudgement(effect, context)),
    };
  },
};

function asked(effect: Effect, call: PendingCall, judgement: KernelEvents["call.judged"]): readonly NewEvent[] {
  const shows = `${call.name} ${JSON.stringify(judgement.input ?? call.input)}`;
  return [{ type: "approval.requested", data: { call: callOf(effect), digest: judgement.digest, shows } }];
}
