import type { EndReason } from "../session/kernel-events.ts";
import type { State } from "../session/part.ts";

/** The limit that stands against one more model request, if any. Time is a timer's: see `rules/deadline.ts`. */
export function limitReached(state: State, newTurn: boolean): EndReason | null {
  const { settings, run } = state.kernel;
  const limits = settings?.limits ?? {};
  if (newTurn && limits.maxTurns !== undefined && run.turns >= limits.maxTurns) return "max_turns";
  if (limits.maxModelCalls !== undefined && run.modelCalls >= limits.maxModelCalls) return "max_model_calls";
  if (limits.maxTokens !== undefined && run.tokens >= limits.maxTokens) return "max_tokens";
  if (limits.maxCost !== undefined && run.cost >= limits.maxCost) return "max_cost";
  return null;
}
