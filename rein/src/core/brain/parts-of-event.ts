/** Parts of the stream that follow from committed events (R2.3). Deltas come from the model's runner. */

import { textOf } from "../message/message.ts";
import type { SessionEvent } from "../session/event.ts";
import type { State } from "../session/part.ts";
import { isKernelEvent } from "../session/reduce-kernel.ts";
import type { StreamPart } from "../session/stream.ts";

/** The parts of one event; `before` and `after` are the states around it. */
export function partsOfEvent(before: State, after: State, event: SessionEvent): readonly StreamPart[] {
  if (!isKernelEvent(event)) return [];
  const parts: StreamPart[] = [];
  switch (event.type) {
    case "run.started": {
      const model = after.kernel.settings?.models[0] ?? "";
      parts.push({ type: "agent_start", session: event.session, run: event.data.run, model, at: event.at });
      break;
    }
    case "model.requested": {
      const { turn, attempt, transition } = event.data;
      parts.push({
        type: "turn_start",
        turn,
        attempt,
        transition,
        contextTokens: before.kernel.contextTokens,
        at: event.at,
      });
      break;
    }
    case "model.responded": {
      const { turn, stop, usage, content } = event.data;
      const hasToolCalls = content.some((block) => block.type === "tool_use");
      parts.push({
        type: "message_end",
        turn,
        seq: event.seq,
        stop,
        usage,
        textLength: textOf(content).length,
        hasToolCalls,
      });
      if (after.kernel.model.phase === "discarded") {
        const reason = "It was cut by the output limit; the limit is raised and the message asked for again.";
        parts.push({ type: "message_discarded", turn, attempt: before.kernel.model.attempt, reason });
      }
      break;
    }
    case "model.failed":
      parts.push({
        type: "message_discarded",
        turn: event.data.turn,
        attempt: event.data.attempt,
        reason: event.data.error.message,
      });
      break;
    case "call.judged": {
      const { call, decision, policy, reason, effects } = event.data;
      parts.push({ type: "tool_judged", call, name: nameOf(before, call), decision, policy, reason, effects });
      break;
    }
    case "approval.requested":
      parts.push({ type: "approval_requested", ...event.data });
      break;
    case "approval.answered":
      parts.push({ type: "approval_answered", call: event.data.call, answer: event.data.answer });
      break;
    case "tool.started":
      parts.push({
        type: "tool_start",
        call: event.data.call,
        name: nameOf(before, event.data.call),
        attempt: event.data.attempt,
      });
      break;
    case "tool.finished": {
      const { call, outcome, content, duration } = event.data;
      if (isOpen(before, call)) {
        parts.push({
          type: "tool_result",
          call,
          name: nameOf(before, call),
          outcome,
          content,
          isError: outcome !== "ok",
          duration,
        });
      }
      break;
    }
    case "notice.added":
      parts.push({ type: "notice", kind: event.data.kind, text: event.data.text });
      break;
    case "store.lost":
      parts.push({ type: "notice", kind: "store_lost", text: event.data.message });
      break;
    default:
      break;
  }
  if (turnEnded(before, after)) {
    parts.push({ type: "turn_end", turn: after.kernel.model.turn, hasToolCalls: after.kernel.model.hadCalls });
  }
  return parts;
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
