import type { Effect, Rule, State } from "../../session/part.ts";
import type { OpenCall } from "../../session/state.ts";
import { effect, want } from "../answers.ts";

/** Denied calls are answered; calls that must be asked about are asked, in each life anew, and wait for a person. */
export const answerCalls: Rule = {
  name: "answer-calls",
  decide({ kernel }) {
    const wanted = kernel.open?.calls.flatMap((call) => answerTo(call, kernel)) ?? [];
    return wanted.length === 0 ? undefined : want(...wanted);
  },
};

function answerTo(call: OpenCall, { settings, token, failedEffects }: State["kernel"]): readonly Effect[] {
  const decision = call.judgement?.decision;
  const refused = call.refused || decision === "deny";
  const asks = call.status === "asking" || (call.status === "judged" && decision === "ask" && !refused);
  if (call.status === "judged" && refused) return [close(call, "denied")];
  if (!asks) return [];
  if (settings?.ask === "deny") return [close(call, "denied")];
  const ask = effect(`ask:${call.call}`, "ask", { call: call.call });
  if (failedEffects.includes(ask.id)) return [close(call, "error")];
  const wait = effect(`person:${call.call}`, "person", { call: call.call });
  if (call.status === "judged") return [ask];
  return call.asked === token ? [wait] : [ask, wait];
}

function close(call: OpenCall, outcome: "denied" | "error"): Effect {
  return effect(`close:${call.call}`, "close", { call: call.call, outcome });
}
