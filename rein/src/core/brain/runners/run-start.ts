import type { Runner } from "../../session/part.ts";

/** Starts a run. */
export const runStart: Runner = {
  start: (effect) => ({ outcome: [{ type: "run.started", data: { run: effect.input.run } }] }),
};
