/** Parts of the stream that follow from committed events (R2.3). Deltas come from the model's runner. */
import { type Block, textOf } from "../message/message.ts";
import type { SessionEvent } from "../session/event.ts";
import type { KernelEvent } from "../session/kernel-events.ts";
import { MOST_CALLS } from "../session/most-calls.ts";
import type { State } from "../session/part.ts";
import { isKernelEvent } from "../session/reduce-kernel.ts";
import type { Stage, StreamPart } from "../session/stream.ts";

const NOTHING: readonly StreamPart[] = [];

/** The parts of one event; `before` and `after` are the states around it. */
export function partsOfEvent(before: State, after: State, event: SessionEvent): readonly StreamPart[] {
  if (!isKernelEvent(event)) return NOTHING;
  const parts = modelParts(before, after, event) ?? callParts(before, event) ?? otherParts(after, event);
  if (!turnEnded(before, after)) return parts;
  const { turn, hadCalls } = after.kernel.model;
  return [...parts, { type: "turn_end", turn, hasToolCalls: hadCalls }, ...stage(after, "persistence")];
}

function modelParts(before: State, after: State, event: KernelEvent): readonly StreamPart[] | null {
  switch (event.type) {
    case "model.requested": {
      const { turn, attempt, transition, takes } = event.data;
      const { contextTokens } = before.kernel;
      const intake = takes.length === 0 ? NOTHING : stage(after, "intake");
      return [...intake, { type: "turn_start", turn, attempt, transition, contextTokens, at: event.at }];
    }
    case "model.responded": {
      const { turn, stop, usage, content } = event.data;
      const hasToolCalls = content.some((block) => block.type === "tool_use");
      const textLength = textOf(content).length;
      const end: StreamPart = { type: "message_end", turn, seq: event.seq, stop, usage, textLength, hasToolCalls };
      if (after.kernel.open !== null) return [end, ...beyondMost(content), ...stage(after, "tools")];
      if (after.kernel.model.phase !== "discarded") return [end];
      const reason = "It was cut by the output limit; the limit is raised and the message asked for again.";
      return [end, { type: "message_discarded", turn, attempt: before.kernel.model.attempt, reason }];
    }
    case "model.failed": {
      const { turn, attempt, error } = event.data;
      return [{ type: "message_discarded", turn, attempt, reason: error.message }];
    }
    default:
      return null;
  }
}

/** Says that a message makes more calls than are carried out. */
function beyondMost(content: readonly Block[]): readonly StreamPart[] {
  let calls = 0;
  for (const { type } of content) if (type === "tool_use") calls += 1;
  if (calls <= MOST_CALLS) return NOTHING;
  const text = `The message makes ${calls} calls; only the first ${MOST_CALLS} are carried out.`;
  return [{ type: "notice", kind: "too_many_calls", text }];
}

function callParts(before: State, event: KernelEvent): readonly StreamPart[] | null {
  switch (event.type) {
    case "call.judged": {
      const { call, decision, policy, reason, effects } = event.data;
      return [{ type: "tool_judged", call, name: nameOf(before, call), decision, policy, reason, effects }];
    }
    case "approval.requested":
      return [{ type: "approval_requested", ...event.data }];
    case "approval.answered":
      return [{ type: "approval_answered", call: event.data.call, answer: event.data.answer }];
    case "tool.started": {
      const { call, attempt } = event.data;
      return [{ type: "tool_start", call, name: nameOf(before, call), attempt }];
    }
    case "tool.finished": {
      const { call, outcome, content, duration } = event.data;
      if (!isOpen(before, call)) return NOTHING;
      const isError = outcome !== "ok";
      return [{ type: "tool_result", call, name: nameOf(before, call), outcome, content, isError, duration }];
    }
    default:
      return null;
  }
}

function otherParts(after: State, event: KernelEvent): readonly StreamPart[] {
  switch (event.type) {
    case "run.started": {
      const model = after.kernel.settings?.models[0] ?? "";
      return [{ type: "agent_start", session: event.session, run: event.data.run, model, at: event.at }];
    }
    case "run.blocked":
      return [{ type: "notice", kind: "hook_blocking", text: event.data.text }];
    case "command.refused":
      return [{ type: "command_refused", ...event.data }];
    case "notice.added":
      return [{ type: "notice", kind: event.data.kind, text: event.data.text }];
    case "store.lost":
      return [{ type: "notice", kind: "store_lost", text: event.data.message }];
    default:
      return NOTHING;
  }
}

/** In linear mode the trace says where the turn is (R1.5). */
function stage({ kernel }: State, name: Stage): readonly StreamPart[] {
  return kernel.settings?.linear === true ? [{ type: "stage", stage: name, turn: kernel.model.turn }] : NOTHING;
}

function turnEnded(before: State, after: State): boolean {
  const wasOpen = before.kernel.open !== null || before.kernel.model.phase === "requested";
  return wasOpen && after.kernel.open === null && after.kernel.model.phase === "responded";
}

function isOpen(state: State, key: string): boolean {
  return state.kernel.open?.calls.some((call) => call.call === key && call.status !== "finished") ?? false;
}

function nameOf(state: State, key: string): string {
  return state.kernel.open?.calls.find((call) => call.call === key)?.name ?? "";
}
