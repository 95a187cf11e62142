import type { NewEvent } from "../../session/event.ts";
import type { CallJudgement } from "../../session/kernel-events.ts";
import type { Effect, Runner } from "../../session/part.ts";
import { callOf, loadPending, pendingCall } from "./call-data.ts";
import type { KernelPorts } from "./kernel-ports.ts";

/** Judges a call: at once when nobody outside must be asked. */
export function judgeRunner({ tools }: KernelPorts): Runner {
  return {
    start: (effect, context, recent) => {
      const pending = pendingCall(effect, context, recent);
      if (pending === null) {
        return { go: async () => judged(effect, await tools.judge(await loadPending(effect, context))) };
      }
      const judgement = tools.judge(pending);
      return judgement instanceof Promise
        ? { go: async () => judged(effect, await judgement) }
        : { outcome: judged(effect, judgement) };
    },
  };
}

function judged(effect: Effect, judgement: CallJudgement): readonly NewEvent[] {
  const call = callOf(effect);
  const { decision, policy, reason, digest, effects, readOnly, recover, accesses, input } = judgement;
  const data = { call, decision, policy, reason, digest, effects, readOnly, recover, accesses };
  return [{ type: "call.judged", data: input === undefined ? data : { ...data, input } }];
}
