import { hasInput } from "../../session/has-input.ts";
import type { Rule } from "../../session/part.ts";
import { request } from "../request.ts";

/** The model is done and an input waits in the queue. */
export const followUp: Rule = {
  name: "follow-up",
  decide(state) {
    return hasInput(state.kernel) ? request(state, "follow_up", { takeFirst: true }) : undefined;
  },
};
