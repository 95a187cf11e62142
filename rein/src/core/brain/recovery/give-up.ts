import type { Rule } from "../../session/part.ts";
import { end } from "../answers.ts";

/** Every way is spent: the error, withheld until now, is reported. */
export const giveUp: Rule = {
  name: "give-up",
  decide({ kernel }) {
    return kernel.model.phase === "failed" ? end("failed", kernel.model.failure?.error) : undefined;
  },
};
