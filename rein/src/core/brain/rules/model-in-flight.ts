import type { Rule } from "../../session/part.ts";
import { effect, wantOnly } from "../answers.ts";

/** A request has left: its answer is wanted, and nothing else. */
export const modelInFlight: Rule = {
  name: "model-in-flight",
  decide({ kernel }) {
    if (kernel.model.phase !== "requested") return undefined;
    const { turn, attempt } = kernel.model;
    return wantOnly(effect(`model:${turn}.${attempt}`, "model", { turn, attempt }));
  },
};
