import type { Message } from "../../../message/message.ts";
import { callKey } from "../../../message/message.ts";
import { isKernelEvent } from "../../../session/index.ts";
import type { Invariant, RequestNote, SessionRecord } from "../recording.ts";

/** The first result of a call is its result: every later request shows it, and so does the history. */
export const finishedKept: Invariant = {
  name: "finished-kept",
  check({ sessions, requests }) {
    const faults: string[] = [];
    for (const record of sessions) {
      const results = firstResults(record);
      for (const item of record.final.kernel.history) {
        if (item.kind !== "assistant") continue;
        for (const { call, result } of item.calls) {
          const first = results.byCall.get(call)?.seq;
          if (first !== result)
            faults.push(
              `${record.session} ${call}: the history takes its result from event ${result}, not ${first ?? "any"}.`,
            );
        }
      }
      for (const note of requests)
        if (note.session === record.session) faults.push(...changedResults(note, results.byId));
    }
    return faults;
  },
};

interface FirstResult {
  readonly seq: number;
  readonly text: string;
}

interface Results {
  readonly byCall: ReadonlyMap<string, FirstResult>;
  /** By the id the model gave, where that is unique in the session. */
  readonly byId: ReadonlyMap<string, FirstResult>;
}

function firstResults({ events }: SessionRecord): Results {
  const byCall = new Map<string, FirstResult>();
  const callOfId = new Map<string, string | null>();
  for (const event of events) {
    if (!isKernelEvent(event)) continue;
    if (event.type === "tool.finished" && !byCall.has(event.data.call))
      byCall.set(event.data.call, { seq: event.seq, text: JSON.stringify(event.data.content) });
    if (event.type !== "model.responded") continue;
    for (const [index, block] of event.data.content.entries()) {
      if (block.type === "tool_use") callOfId.set(block.id, callOfId.has(block.id) ? null : callKey(event.seq, index));
    }
  }
  const byId = new Map<string, FirstResult>();
  for (const [id, call] of callOfId) {
    const result = call === null ? undefined : byCall.get(call);
    if (result !== undefined && id !== "") byId.set(id, result);
  }
  return { byCall, byId };
}

function changedResults(
  { session, request }: RequestNote,
  results: ReadonlyMap<string, FirstResult>,
): readonly string[] {
  const faults: string[] = [];
  for (const message of request.messages) {
    for (const [id, text] of resultsIn(message)) {
      const first = results.get(id);
      if (first !== undefined && first.text !== text)
        faults.push(
          `${session}: request ${request.trace.turn}.${request.trace.attempt} shows ${text} for ${id}; its result is ${first.text}.`,
        );
    }
  }
  return faults;
}

function resultsIn({ content }: Message): readonly (readonly [string, string])[] {
  return content.flatMap((block) =>
    block.type === "tool_result" ? [[block.id, JSON.stringify(block.content)] as const] : [],
  );
}
