/** What should be going on in a state: a walk over the ordered rules. Pure. */

import type { EndReason, EventError } from "../session/kernel-events.ts";
import type { Effect, Rule, State } from "../session/part.ts";

/** The outcome of a walk. */
export interface Decision {
  /** Effects that should be in flight, in the order the rules named them; each id once. */
  readonly want: readonly Effect[];
  /** The run is over. */
  readonly end: { readonly reason: EndReason; readonly error?: EventError } | null;
}

const NOTHING: Decision = { want: [], end: null };

/** Walks the rules until one holds or ends. */
export function decide(rules: readonly Rule[], state: State): Decision {
  let want: Effect[] | null = null;
  for (const rule of rules) {
    const answer = rule.decide(state);
    if (answer === undefined) continue;
    if ("end" in answer) {
      const { end: reason, error } = answer;
      return { want: want ?? [], end: error === undefined ? { reason } : { reason, error } };
    }
    for (const effect of answer.want) {
      want ??= [];
      if (!want.some((other) => other.id === effect.id)) want.push(effect);
    }
    if (answer.hold) break;
  }
  return want === null ? NOTHING : { want, end: null };
}
