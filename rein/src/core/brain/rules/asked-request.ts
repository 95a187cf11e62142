import type { Rule } from "../../session/part.ts";
import { request } from "../request.ts";

/** A notice, a hook, a compaction or another part has asked for one more request, and said why. */
export const askedRequest: Rule = {
  name: "asked-request",
  decide(state) {
    const { next } = state.kernel;
    if (next === null) return undefined;
    return request(state, next, { sameTurn: next === "compact_retry" });
  },
};
