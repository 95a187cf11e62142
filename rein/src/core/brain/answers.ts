import type { JsonObject } from "../json.ts";
import type { EndReason, EventError, Transition } from "../session/kernel-events.ts";
import type { Effect, RuleAnswer } from "../session/part.ts";

/** Nothing more is to be done until something happens. */
export const HOLD: RuleAnswer = { want: [], hold: true };

/** These effects, and the rules behind are asked too. */
export function want(...effects: readonly Effect[]): RuleAnswer {
  return { want: effects, hold: false };
}

/** These effects and nothing from the rules behind. */
export function wantOnly(...effects: readonly Effect[]): RuleAnswer {
  return { want: effects, hold: true };
}

/** The run is over. */
export function end(reason: EndReason, error?: EventError): RuleAnswer {
  return error === undefined ? { end: reason } : { end: reason, error };
}

/** An effect. */
export function effect(id: string, kind: string, input: JsonObject = {}): Effect {
  return { id, kind, input };
}

/** A notice for the model, as an effect that is over at once. */
export function notice(id: string, kind: string, text: string, transition: Transition): Effect {
  return effect(`notice:${id}`, "notice", { kind, text, transition });
}
