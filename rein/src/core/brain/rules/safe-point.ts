import type { Rule } from "../../session/part.ts";
import { end, HOLD } from "../answers.ts";

/** No call is open and no request in flight: the place where a pause holds and an asked-for stop ends. */
export const safePoint: Rule = {
  name: "safe-point",
  decide({ kernel }) {
    if (kernel.paused) return HOLD;
    if (kernel.run.stopAtSafePoint) return end("stopped");
    return undefined;
  },
};
