import { Vector } from "../vector.ts";
import type { KernelState, ModelState, Recovery, RunState } from "./state.ts";

/** Locks as they stand after normal progress. */
export const FRESH_RECOVERY: Recovery = { escalated: false, nudges: 0, compacted: false, blocks: 0, continues: 0 };

/** The model call of a turn that has not been asked for. */
export const IDLE_MODEL: ModelState = {
  phase: "idle",
  turn: 0,
  attempt: 0,
  failures: 0,
  stop: null,
  failure: null,
  hadCalls: false,
};

/** A session before its first run. */
export const NO_RUN: RunState = {
  number: 0,
  active: false,
  turns: 0,
  modelCalls: 0,
  tokens: 0,
  cost: 0,
  ended: null,
  model: 0,
  stopping: null,
  stopAtSafePoint: false,
  goal: null,
};

/** The kernel's slice of an empty log. */
export function initialKernelState(session: string): KernelState {
  return {
    session,
    seq: 0,
    settings: null,
    parent: null,
    forkedFrom: null,
    copied: false,
    token: 0,
    waking: false,
    paused: false,
    resumed: false,
    terminated: false,
    captured: { system: null, tools: null, offered: [] },
    history: Vector.of(),
    epoch: 0,
    open: null,
    late: [],
    pending: [],
    model: IDLE_MODEL,
    recovery: FRESH_RECOVERY,
    spin: { digest: "", count: 0, reported: false },
    run: NO_RUN,
    contextTokens: 0,
    next: null,
    timers: {},
    lostTo: 0,
    failedEffects: [],
    totals: { input: 0, output: 0, cost: 0, turns: 0, calls: 0 },
  };
}
