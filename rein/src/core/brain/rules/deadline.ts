import type { Rule } from "../../session/part.ts";
import type { KernelState } from "../../session/state.ts";
import { effect, want } from "../answers.ts";

/** A run with a time limit has a timer beside it, so that a hanging effect is ended too. */
export const deadline: Rule = {
  name: "deadline",
  decide({ kernel }) {
    const set = deadlineOf(kernel);
    return set === null ? undefined : want(effect(`timer:${set.name}`, "timer", set));
  },
};

/** The timer that ends the run; null without a limit. Its name holds its length: another limit is another timer, from then on. */
export function deadlineOf({ run, settings }: KernelState): { readonly name: string; readonly length: number } | null {
  const length = settings?.limits.maxTime;
  return length === undefined ? null : { name: `deadline:${run.number}:${length}`, length };
}
