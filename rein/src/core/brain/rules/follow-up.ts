import type { Rule } from "../../session/part.ts";
import { request } from "../request.ts";

/** The model is done and an input waits in the queue. */
export const followUp: Rule = {
  name: "follow-up",
  decide(state) {
    return state.kernel.pending.length > 0 ? request(state, "follow_up", { takeFirst: true }) : undefined;
  },
};
