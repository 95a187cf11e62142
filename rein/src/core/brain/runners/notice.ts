import type { Runner } from "../../session/part.ts";

/** Puts a notice for the model into the log. */
export const notice: Runner = {
  start: (effect) => ({ outcome: [{ type: "notice.added", data: effect.input }] }),
};
