import { hasInput } from "../../session/has-input.ts";
import { isUnfinished } from "../../session/is-unfinished.ts";
import type { Rule } from "../../session/part.ts";
import { effect, HOLD, wantOnly } from "../answers.ts";

/** No run is going on: an input that waits starts one, and so does the word to go on with a run that ended unfinished. */
export const idle: Rule = {
  name: "idle",
  decide({ kernel }) {
    if (kernel.run.active) return undefined;
    if (kernel.settings === null || kernel.terminated || kernel.paused) return HOLD;
    if (!hasInput(kernel) && !(kernel.resumed && isUnfinished(kernel))) return HOLD;
    return wantOnly(effect(`run:${kernel.run.number + 1}`, "run-start", { run: kernel.run.number + 1 }));
  },
};
