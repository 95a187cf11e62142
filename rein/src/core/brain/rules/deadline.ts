import type { Rule } from "../../session/part.ts";
import { effect, want } from "../answers.ts";

/** Name of the timer that ends a run. */
export function deadlineName(run: number): string {
  return `deadline:${run}`;
}

/** A run with a time limit has a timer beside it, so that a hanging effect is ended too. */
export const deadline: Rule = {
  name: "deadline",
  decide({ kernel }) {
    const length = kernel.settings?.limits.maxTime;
    if (length === undefined) return undefined;
    const name = deadlineName(kernel.run.number);
    return want(effect(`timer:${name}`, "timer", { name, length }));
  },
};
