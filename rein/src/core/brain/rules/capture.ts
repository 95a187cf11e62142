import type { Rule } from "../../session/part.ts";
import { effect, end, wantOnly } from "../answers.ts";

/** The head of the prompt (system, tools) is captured into the log once, before the first request. */
export const capture: Rule = {
  name: "capture",
  decide({ kernel }) {
    if (kernel.captured.system !== null) return undefined;
    if (kernel.failedEffects.includes("capture")) {
      const hint = "See the event effect.failed before this one.";
      return end("failed", {
        class: "permanent",
        code: "effect_unrunnable",
        message: "The prompt could not be captured.",
        hint,
      });
    }
    return wantOnly(effect("capture", "capture"));
  },
};
