import type { Rule } from "../../session/part.ts";
import { end, notice, wantOnly } from "../answers.ts";

/** Identical calls in a row, name and arguments, that count as spinning (R1.6). */
const SPIN_CALLS = 3;

const TEXT =
  "You have made the same call with the same arguments three times in a row. Its result will not change. Say what you expected, then try something else or finish.";

/** The same call again and again is reported to the model once; if it goes on, the run ends. */
export const spin: Rule = {
  name: "spin",
  decide({ kernel }) {
    const { count, reported } = kernel.spin;
    if (count < SPIN_CALLS || !kernel.model.hadCalls) return undefined;
    if (!reported) return wantOnly(notice(`spin:${kernel.model.turn}`, "spinning", TEXT, "spinning"));
    // The request made for the report has come back with the same call once more.
    return kernel.next === "spinning" ? undefined : end("spinning");
  },
};
