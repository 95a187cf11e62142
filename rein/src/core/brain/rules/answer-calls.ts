import type { Effect, Rule } from "../../session/part.ts";
import { effect, want } from "../answers.ts";

/** Denied calls are answered; calls that must be asked about are asked, and wait for a person. */
export const answerCalls: Rule = {
  name: "answer-calls",
  decide({ kernel }) {
    const wanted: Effect[] = [];
    for (const call of kernel.open?.calls ?? []) {
      if (call.status === "asking" && kernel.settings?.ask === "deny") {
        wanted.push(effect(`close:${call.call}`, "close", { call: call.call, outcome: "denied" }));
        continue;
      }
      if (call.status === "asking") wanted.push(effect(`person:${call.call}`, "person", { call: call.call }));
      if (call.status !== "judged" || call.judgement === null) continue;
      if (call.refused || call.judgement.decision === "deny") {
        wanted.push(effect(`close:${call.call}`, "close", { call: call.call, outcome: "denied" }));
      } else if (call.judgement.decision === "ask") {
        wanted.push(effect(`ask:${call.call}`, "ask", { call: call.call }));
      }
    }
    return wanted.length === 0 ? undefined : want(...wanted);
  },
};
