import type { Effect, Rule } from "../../session/part.ts";
import type { OpenCall } from "../../session/state.ts";
import { effect, want } from "../answers.ts";

/** Calls that are judged at once: what a decision wants stays small, however many calls a message makes. */
const JUDGED_AT_ONCE = 32;

/** Each new call of the open message is judged; one that was cut with its message, or cannot be judged, is closed and never runs. */
export const judgeCalls: Rule = {
  name: "judge-calls",
  decide({ kernel }) {
    const fresh: OpenCall[] = [];
    for (const call of kernel.open?.calls ?? []) {
      if (call.status === "new") fresh.push(call);
      if (fresh.length === JUDGED_AT_ONCE) break;
    }
    return fresh.length === 0 ? undefined : want(...fresh.map((call) => judgeOrClose(call, kernel.failedEffects)));
  },
};

function judgeOrClose({ call, cut }: OpenCall, failed: readonly string[]): Effect {
  const judge = effect(`judge:${call}`, "judge", { call });
  if (cut) return effect(`close:${call}`, "close", { call, outcome: "cancelled" });
  return failed.includes(judge.id) ? effect(`close:${call}`, "close", { call, outcome: "error" }) : judge;
}
