import type { Rule } from "../../session/part.ts";
import { effect, wantOnly } from "../answers.ts";

/** The prompt is too long: compact once, then ask again. The lock opens only after normal progress. */
export const compactAfterOverflow: Rule = {
  name: "compact-after-overflow",
  decide({ kernel }) {
    if (kernel.model.phase !== "failed" || kernel.model.failure?.error.code !== "context_overflow") return undefined;
    const id = `compact:${kernel.model.turn}.${kernel.model.attempt}`;
    if (kernel.recovery.compacted || kernel.failedEffects.includes(id)) return undefined;
    return wantOnly(effect(id, "compact", { transition: "compact_retry" }));
  },
};
