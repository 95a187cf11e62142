/**
 * The projection: history entries become messages. Pure. An assistant message is always followed by one result for each of its
 * calls, in their order, because an entry of the history is whole; whatever stands in the log, no orphan can come out.
 */
import { type Block, callKey, type Message, type ToolResultBlock, type ToolUseBlock } from "../message/message.ts";
import type { KernelEvents } from "../session/kernel-events.ts";
import type { HistoryItem } from "../session/state.ts";

/** Names that every provider takes. Source: the stricter of OpenAI's and Anthropic's documented patterns. */
const VALID_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const ERASED = "[erased]";

/** Seqs whose data {@link projectItem} needs. */
export function seqsOf(item: HistoryItem): readonly number[] {
  return item.kind === "assistant" ? [item.seq, ...item.calls.map((call) => call.result)] : [item.seq];
}

/** Messages of one entry. `data` gives an event's data, `undefined` when it was erased. */
export function projectItem(item: HistoryItem, data: (seq: number) => unknown): readonly Message[] {
  switch (item.kind) {
    case "input": {
      const input = as<"input.received">(data(item.seq));
      return [{ role: "user", content: input === undefined ? [text(ERASED)] : wellFormed(input.content) }];
    }
    case "assistant":
      return assistant(item, data);
    case "partial": {
      const partial = as<"model.interrupted">(data(item.seq));
      const why = partial?.by === "interrupt" ? "an interrupt" : "a crash";
      return [
        { role: "assistant", content: [text((partial?.text ?? ERASED).trimEnd())] },
        {
          role: "developer",
          content: [text(`[The message above was cut off by ${why}. What follows does not repeat it.]`)],
        },
      ];
    }
    case "notice":
      return [{ role: "developer", content: [text(noticeText(data(item.seq)))] }];
    case "summary": {
      const summary = as<"history.compacted">(data(item.seq));
      return [{ role: "user", content: [text(`[Summary of what came before]\n${summary?.summary ?? ERASED}`)] }];
    }
  }
}

function assistant(item: HistoryItem & { kind: "assistant" }, data: (seq: number) => unknown): readonly Message[] {
  const responded = as<"model.responded">(data(item.seq));
  if (responded === undefined) return [{ role: "assistant", content: [text(ERASED)] }];
  const results = new Map(item.calls.map((call) => [call.call, call.result]));
  const used = new Set<string>();
  const content: Block[] = [];
  const answers: ToolResultBlock[] = [];
  for (let index = 0; index < responded.content.length; index += 1) {
    const block = responded.content[index];
    if (block === undefined || (block.type === "text" && block.text.trim() === "")) continue;
    if (block.type !== "tool_use") {
      content.push(block.type === "text" ? wellFormedBlock(block) : block);
      continue;
    }
    const key = callKey(item.seq, index);
    const call = validCall(block, key, used);
    content.push(call);
    const result = results.get(key);
    answers.push(answerOf(call.id, result === undefined ? undefined : data(result)));
  }
  if (content.length === 0) return [];
  const message: Message = { role: "assistant", content };
  return answers.length === 0 ? [message] : [message, { role: "tool", content: answers }];
}

/** A provider refuses blank, long or repeated ids and names; those get a stated placeholder, all others stay as they came. */
function validCall(block: ToolUseBlock, key: string, used: Set<string>): ToolUseBlock {
  const id = block.id !== "" && !used.has(block.id) ? block.id : `call_${key.replace(".", "_")}`;
  used.add(id);
  const name = VALID_NAME.test(block.name) ? block.name : "invalid_tool_name";
  if (id === block.id && name === block.name && block.malformed === undefined) return block;
  return { type: "tool_use", id, name, input: block.input };
}

function answerOf(id: string, data: unknown): ToolResultBlock {
  const finished = as<"tool.finished">(data);
  if (finished === undefined) return { type: "tool_result", id, content: [text(ERASED)], isError: false };
  const content = finished.content.map((block) => (block.type === "text" ? wellFormedBlock(block) : block));
  if (finished.outcome === "ok") return { type: "tool_result", id, content, isError: false };
  return { type: "tool_result", id, content, isError: true, errorType: finished.errorType ?? finished.outcome };
}

function noticeText(data: unknown): string {
  if (typeof data !== "object" || data === null) return ERASED;
  if ("text" in data && typeof data.text === "string") return data.text;
  if ("message" in data && typeof data.message === "string") {
    return `[The newest records of this session were lost with the machine's power: ${data.message} What was done in that gap is unknown: check before you rely on it or repeat it.]`;
  }
  return ERASED;
}

/** A lone surrogate cannot be sent to a provider; it is shown as U+FFFD in the request, and stays as it is in the log. */
function wellFormed(content: readonly Block[]): readonly Block[] {
  return content.map((block) => (block.type === "text" ? wellFormedBlock(block) : block));
}

function wellFormedBlock<T extends { readonly text: string }>(block: T): T {
  return block.text.isWellFormed() ? block : { ...block, text: block.text.toWellFormed() };
}

function text(value: string): { readonly type: "text"; readonly text: string } {
  return { type: "text", text: value };
}

/** Data of a kernel event whose type the history already vouches for. */
function as<T extends keyof KernelEvents>(data: unknown): KernelEvents[T] | undefined {
  return data === undefined || data === null ? undefined : (data as KernelEvents[T]);
}
