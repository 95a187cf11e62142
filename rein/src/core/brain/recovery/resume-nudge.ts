import type { Rule } from "../../session/part.ts";
import { end, notice, wantOnly } from "../answers.ts";

/** Nudges before the run gives up on a message that does not fit (R1.2). */
const MAX_NUDGES = 3;

const TEXT =
  "Your message was cut by the output limit. Go on directly from where it stopped, in mid-thought if need be: no apology, no recap. Do the rest in smaller pieces.";

/** Cut again under the raised limit: what came is kept and the model is told to go on, at most three times. */
export const resumeNudge: Rule = {
  name: "resume-nudge",
  decide({ kernel }) {
    if (kernel.model.stop !== "max_output" || kernel.model.phase !== "responded") return undefined;
    if (kernel.next === "output_truncated") return undefined;
    const { nudges } = kernel.recovery;
    if (nudges < MAX_NUDGES)
      return wantOnly(notice(`nudge:${kernel.model.turn}`, "resume_nudge", TEXT, "output_truncated"));
    return end("failed", {
      class: "resource",
      code: "limit_reached",
      message: "The model's message was cut by the output limit again and again.",
      hint: "Ask for less in one message, or use a model with a larger output limit.",
    });
  },
};
