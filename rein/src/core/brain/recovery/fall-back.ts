import type { ErrorCode } from "../../errors.ts";
import type { Rule } from "../../session/part.ts";
import { request } from "../request.ts";

/** Permanent faults that another model may not have; a wrong key or a bad request is for a person. */
const WORTH_ANOTHER_MODEL: readonly ErrorCode[] = ["model_quota", "model_unknown", "model_protocol"];

/** Retries are spent, or useless: the next model of the list takes over, for the rest of the run. */
export const fallBack: Rule = {
  name: "fall-back",
  decide(state) {
    const { model, run, settings } = state.kernel;
    if (model.phase !== "failed" || model.failure === null || settings === null) return undefined;
    const { error } = model.failure;
    if (error.class !== "transient" && !WORTH_ANOTHER_MODEL.includes(error.code)) return undefined;
    if (run.model + 1 >= settings.models.length) return undefined;
    return request(state, "model_fallback", { sameTurn: true, model: run.model + 1 });
  },
};
