import type { Rule } from "../../session/part.ts";
import { request } from "../request.ts";

/** A run that has asked nothing yet asks for its first message. */
export const firstRequest: Rule = {
  name: "first-request",
  decide(state) {
    const { run, model, next } = state.kernel;
    if (model.phase !== "idle" || run.turns > 0) return undefined;
    return request(state, next ?? "start", { takeFirst: true });
  },
};
