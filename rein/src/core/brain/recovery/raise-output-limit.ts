import type { Rule } from "../../session/part.ts";
import { request } from "../request.ts";

/** A message cut by the output limit: the limit is raised once and that attempt is not kept. */
export const raiseOutputLimit: Rule = {
  name: "raise-output-limit",
  decide(state) {
    if (state.kernel.model.phase !== "discarded") return undefined;
    return request(state, "output_truncated", { sameTurn: true, escalate: true });
  },
};
