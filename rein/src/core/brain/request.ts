import type { Transition } from "../session/kernel-events.ts";
import type { RuleAnswer, State } from "../session/part.ts";
import { effect, end, wantOnly } from "./answers.ts";
import { limitReached } from "./limits.ts";

/** Wants the next model request, of a new turn or as one more attempt of this one; ends the run where a limit stands against it. */
export function request(
  state: State,
  transition: Transition,
  options: {
    readonly sameTurn?: boolean;
    readonly model?: number;
    readonly escalate?: boolean;
    readonly takeFirst?: boolean;
  } = {},
): RuleAnswer {
  const { model, run, settings, recovery, pending } = state.kernel;
  if (settings === null) return end("failed");
  const sameTurn = options.sameTurn === true && model.attempt > 0;
  const turn = sameTurn ? model.turn : model.turn + 1;
  const limit = limitReached(state, !sameTurn);
  if (limit !== null) return end(limit);
  const attempt = sameTurn ? model.attempt + 1 : 1;
  const index = Math.min(options.model ?? run.model, settings.models.length - 1);
  return wantOnly(
    effect(`model:${turn}.${attempt}`, "model", {
      turn,
      attempt,
      transition: state.kernel.resumed && transition === "next_turn" ? "paused" : transition,
      model: settings.models[Math.max(index, 0)] ?? "",
      escalated: options.escalate ?? recovery.escalated,
      takes: taken(pending, options.takeFirst === true),
    }),
  );
}

/** All steering messages, and with `first` the oldest other input, in the order they came. */
function taken(pending: State["kernel"]["pending"], first: boolean): number[] {
  const oldest = first ? pending.find((input) => input.mode !== "steer" && input.mode !== "erased") : undefined;
  return pending.filter((input) => input.mode === "steer" || input === oldest).map((input) => input.seq);
}
