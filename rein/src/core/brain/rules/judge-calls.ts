import type { Effect, Rule } from "../../session/part.ts";
import type { OpenCall } from "../../session/state.ts";
import { effect, want } from "../answers.ts";

/** Each new call of the open message is judged; one that was cut with its message, or cannot be judged, is closed and never runs. */
export const judgeCalls: Rule = {
  name: "judge-calls",
  decide({ kernel }) {
    const fresh = kernel.open?.calls.filter((call) => call.status === "new") ?? [];
    return fresh.length === 0 ? undefined : want(...fresh.map((call) => judgeOrClose(call, kernel.failedEffects)));
  },
};

function judgeOrClose({ call, cut }: OpenCall, failed: readonly string[]): Effect {
  const judge = effect(`judge:${call}`, "judge", { call });
  if (cut) return effect(`close:${call}`, "close", { call, outcome: "cancelled" });
  return failed.includes(judge.id) ? effect(`close:${call}`, "close", { call, outcome: "error" }) : judge;
}
