import type { Rule } from "../../session/part.ts";
import { request } from "../request.ts";

/** The calls of the message have their results, or a person steers, or the provider paused: the next turn. */
export const nextTurn: Rule = {
  name: "next-turn",
  decide(state) {
    const { model, pending } = state.kernel;
    const steered = pending.some((input) => input.mode === "steer");
    return model.hadCalls || model.stop === "pause" || steered ? request(state, "next_turn") : undefined;
  },
};
