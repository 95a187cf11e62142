import type { Rule } from "../../session/part.ts";
import { effect, wantOnly } from "../answers.ts";
import { request } from "../request.ts";

/** Attempts in all with one model. Source: `attempts`, docs/architecture.md. */
const MAX_ATTEMPTS = 3;

/** A fault that may go away is waited out and tried again. */
export const retryTransient: Rule = {
  name: "retry-transient",
  decide(state) {
    const { model, timers } = state.kernel;
    if (model.phase !== "failed" || model.failure?.error.class !== "transient") return undefined;
    if (model.failures >= MAX_ATTEMPTS) return undefined;
    const name = `retry:${model.turn}.${model.attempt}`;
    const timer = Object.hasOwn(timers, name) ? timers[name] : undefined;
    if (timer?.fired === true) return request(state, "model_retry", { sameTurn: true });
    return wantOnly(effect(`timer:${name}`, "timer", { name, length: model.failure.retryAfter ?? 0 }));
  },
};
