import type { Rule } from "../../session/part.ts";
import { end } from "../answers.ts";

/** A refusal or a content filter ends the run; it is never retried. */
export const refusal: Rule = {
  name: "refusal",
  decide({ kernel }) {
    const { stop, phase } = kernel.model;
    if (phase !== "responded" || (stop !== "refusal" && stop !== "content_filter")) return undefined;
    return end("refused", {
      class: "permanent",
      code: "model_refused",
      message: stop === "refusal" ? "The model refused." : "The provider's content filter stopped the answer.",
      hint: "Change the task, or use another model.",
    });
  },
};
