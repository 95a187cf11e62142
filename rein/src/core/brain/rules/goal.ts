import type { EventError } from "../../session/kernel-events.ts";
import type { Rule } from "../../session/part.ts";
import { effect, end, notice, wantOnly } from "../answers.ts";

/** A goal is judged on its metric, never on the model's word: when the model thinks it is done, and at the goal's deadline. */
export const goal: Rule = {
  name: "goal",
  decide({ kernel }) {
    const aim = kernel.settings?.goal;
    if (aim === undefined || kernel.model.phase !== "responded") return undefined;
    const late = kernel.run.turns >= aim.deadlineTurns;
    if (kernel.model.hadCalls && !late) return undefined;
    const turn = kernel.model.turn;
    const id = `goal:${turn}`;
    if (kernel.failedEffects.includes(id)) return end("failed", unmeasured(aim.metric));
    if (kernel.run.goal?.turn !== turn) return wantOnly(effect(id, "goal", { turn, metric: aim.metric }));
    if (kernel.run.goal.value >= aim.target) return end("goal_reached");
    if (late) return end("goal_missed");
    const text = `The goal is not reached: ${aim.metric} is ${kernel.run.goal.value}, wanted at least ${aim.target}. Goal: ${aim.text}. Go on.`;
    return wantOnly(notice(id, "goal", text, "goal_pending"));
  },
};

function unmeasured(metric: string): EventError {
  return {
    class: "permanent",
    code: "effect_unrunnable",
    message: `The goal's metric ${metric} could not be measured, so nobody can say whether it is reached.`,
    hint: "See the event effect.failed before this one.",
  };
}
