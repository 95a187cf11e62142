/** The fold of the events of a model call. */
import { callKey } from "../message/message.ts";
import type { SessionEvent } from "./event.ts";
import { FRESH_RECOVERY } from "./initial-state.ts";
import type { KernelEvents, Transition } from "./kernel-events.ts";
import { MOST_CALLS } from "./most-calls.ts";
import { closeNow, pushItem, pushLate } from "./reduce-history.ts";
import type { KernelState, OpenCall, Recovery } from "./state.ts";

type ModelEventType = "model.requested" | "model.responded" | "model.failed" | "model.interrupted";
type ModelEvent = { [K in ModelEventType]: SessionEvent<K, KernelEvents[K]> }[ModelEventType];

/** State after an event of the model call. */
export function reduceModel(state: KernelState, event: ModelEvent): KernelState {
  switch (event.type) {
    case "model.requested":
      return requested(state, event);
    case "model.responded":
      return responded(state, event);
    case "model.failed":
      return failed(state, event);
    case "model.interrupted":
      return interrupted(state, event);
  }
}

function requested(
  state: KernelState,
  event: SessionEvent<"model.requested", KernelEvents["model.requested"]>,
): KernelState {
  const { turn, attempt, takes, transition } = event.data;
  // A message that is still open lost a result to an erasure; it ends here.
  const closed = closeNow(state);
  let history = closed.history;
  for (const { seq } of state.pending) if (takes.includes(seq)) history = history.push({ kind: "input", seq });
  const newTurn = turn !== state.model.turn || attempt === 1;
  const settings = state.settings;
  const fallback = settings === null ? -1 : settings.models.indexOf(event.data.model);
  return {
    ...closed,
    history,
    pending: takes.length === 0 ? state.pending : state.pending.filter((input) => !takes.includes(input.seq)),
    waking: false,
    resumed: false,
    next: null,
    recovery: lockOf(state.recovery, transition, event.data.escalated),
    model: {
      phase: "requested",
      turn,
      attempt,
      failures: newTurn || transition === "model_fallback" ? 0 : state.model.failures,
      stop: null,
      failure: null,
      hadCalls: false,
    },
    run: {
      ...state.run,
      turns: state.run.turns + (newTurn ? 1 : 0),
      modelCalls: state.run.modelCalls + 1,
      model: fallback >= 0 ? fallback : state.run.model,
    },
  };
}

function lockOf(recovery: Recovery, transition: Transition, escalated: boolean): Recovery {
  return transition === "output_truncated" && escalated && !recovery.escalated
    ? { ...recovery, escalated: true }
    : recovery;
}

function responded(
  state: KernelState,
  event: SessionEvent<"model.responded", KernelEvents["model.responded"]>,
): KernelState {
  const { content, stop, usage, turn } = event.data;
  if (state.model.phase !== "requested" || turn !== state.model.turn) return state;
  const cut = stop === "max_output";
  const discarded = cut && !state.recovery.escalated;
  const cost = usage.cost ?? 0;
  const input = usage.input + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0);
  const calls: OpenCall[] = [];
  for (let index = 0; index < content.length && calls.length < MOST_CALLS; index += 1) {
    const block = content[index];
    if (block?.type === "tool_use") calls.push(openCall(callKey(event.seq, index), block.name, cut));
  }
  const hasCalls = calls.length > 0 && !discarded;
  const progress = stop === "end" || stop === "tool_use" || stop === "stop_sequence";
  const next: KernelState = {
    ...state,
    model: { ...state.model, phase: discarded ? "discarded" : "responded", stop, failure: null, hadCalls: hasCalls },
    recovery: progress
      ? { ...FRESH_RECOVERY, blocks: state.recovery.blocks, continues: state.recovery.continues }
      : state.recovery,
    failedEffects: progress ? [] : state.failedEffects,
    timers: withoutRetries(state.timers),
    contextTokens: input + usage.output,
    run: {
      ...state.run,
      tokens: state.run.tokens + input + usage.output,
      cost: state.run.cost + cost,
    },
    totals: {
      input: state.totals.input + input,
      output: state.totals.output + usage.output,
      cost: state.totals.cost + cost,
      turns: state.totals.turns + 1,
      calls: state.totals.calls + calls.length,
    },
  };
  if (discarded) return next;
  if (hasCalls) return { ...next, open: { seq: event.seq, turn, calls } };
  return pushItem(next, { kind: "assistant", seq: event.seq, calls: [] });
}

/** Timers that are not of a retry; the retry is over. */
function withoutRetries(timers: KernelState["timers"]): KernelState["timers"] {
  if (!Object.keys(timers).some(isRetry)) return timers;
  return Object.fromEntries(Object.entries(timers).filter(([name]) => !isRetry(name)));
}

function isRetry(timer: string): boolean {
  return timer.startsWith("retry:");
}

function openCall(call: string, name: string, cut: boolean): OpenCall {
  return {
    call,
    name,
    status: "new",
    judgement: null,
    judged: null,
    attempt: 0,
    cut,
    processes: [],
    approved: null,
    refused: false,
    asked: null,
    answered: null,
    outcome: null,
    result: null,
  };
}

function failed(state: KernelState, event: SessionEvent<"model.failed", KernelEvents["model.failed"]>): KernelState {
  const { error, retryAfter, turn, attempt } = event.data;
  if (state.model.phase !== "requested" || turn !== state.model.turn || attempt !== state.model.attempt) return state;
  return {
    ...state,
    model: {
      ...state.model,
      phase: "failed",
      failures: state.model.failures + 1,
      failure: { error, retryAfter: retryAfter ?? null },
    },
  };
}

function interrupted(
  state: KernelState,
  event: SessionEvent<"model.interrupted", KernelEvents["model.interrupted"]>,
): KernelState {
  if (state.model.phase !== "requested" || event.data.turn !== state.model.turn) return state;
  const next: KernelState = { ...state, model: { ...state.model, phase: "interrupted" } };
  return event.data.text.trim() === "" ? pushLate(next) : pushItem(next, { kind: "partial", seq: event.seq });
}
