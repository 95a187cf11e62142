import type { Rule } from "../../session/part.ts";
import { request } from "../request.ts";

/** The stream was cut by a crash: the turn is asked for again, behind what had been streamed. */
export const afterCrash: Rule = {
  name: "after-crash",
  decide(state) {
    return state.kernel.model.phase === "interrupted" ? request(state, "recovered", { sameTurn: true }) : undefined;
  },
};
