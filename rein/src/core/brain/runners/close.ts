import { ok, type Result } from "../../errors.ts";
import type { NewEvent } from "../../session/event.ts";
import type { CallOutcome } from "../../session/kernel-events.ts";
import type { Effect, EffectContext, Runner } from "../../session/part.ts";
import { dataOf } from "../data-of.ts";
import { finished, openCall } from "./call-data.ts";
import { closingText } from "./closing-text.ts";

/** Gives a call that does not run its result: denied, interrupted, cut, not judged. */
export const close: Runner = {
  start: (effect, context, recent) => {
    const call = openCall(effect, context);
    const judged = call?.judged ?? null;
    const answered = call?.answered ?? null;
    const reason = judged === null ? null : recent(judged);
    const note = answered === null ? null : recent(answered);
    if (reason !== undefined && note !== undefined) return { outcome: closing(effect, context, reason, note) };
    return {
      go: async () =>
        closing(effect, context, await loadForText(context, judged), await loadForText(context, answered)),
    };
  },
};

function closing(effect: Effect, context: EffectContext, reason: unknown, note: unknown): readonly NewEvent[] {
  const call = openCall(effect, context);
  if (call === undefined) return [];
  const judged = dataOf("call.judged", reason);
  const answered = dataOf("approval.answered", note);
  return [finished(effect, closingText(call, outcomeOf(effect), { judged, answered }))];
}

/** A reason that cannot be read is left out: the call must get its result all the same, and the next request meets the fault. */
async function loadForText(context: EffectContext, seq: number | null): Promise<unknown> {
  const loaded: Result<unknown> = seq === null ? ok(null) : await context.load(seq);
  return loaded.ok ? loaded.value : null;
}

const OUTCOMES = ["denied", "cancelled", "error"] as const;

function outcomeOf(effect: Effect): Exclude<CallOutcome, "ok"> {
  return OUTCOMES.find((outcome) => outcome === effect.input.outcome) ?? "interrupted";
}
