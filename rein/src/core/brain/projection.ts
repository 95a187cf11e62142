/**
 * The projection: history entries become messages. Pure. An assistant message is always followed by one result for each of its
 * calls, in their order, because an entry of the history is whole; whatever stands in the log, no orphan can come out.
 */
import { type Block, callKey, type Message, type ToolResultBlock, type ToolUseBlock } from "../message/message.ts";
import { MOST_CALLS } from "../session/most-calls.ts";
import type { HistoryItem } from "../session/state.ts";
import { dataOf } from "./data-of.ts";
import { wellFormedBlock, wellFormedObject, wellFormedText } from "./well-formed.ts";

/** Names that every provider takes. Source: the stricter of OpenAI's and Anthropic's documented patterns. */
const VALID_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const ERASED = "[erased]";

/** Seqs whose data {@link projectItem} needs. */
export function seqsOf(item: HistoryItem): readonly number[] {
  return item.kind === "assistant" ? [item.seq, ...item.calls.map((call) => call.result)] : [item.seq];
}

/**
 * Messages of one entry. `data` gives an event's data, `undefined` when it was erased. `used` holds the call ids of the entries before,
 * and takes in those of this one.
 */
export function projectItem(item: HistoryItem, data: (seq: number) => unknown, used: Set<string>): readonly Message[] {
  switch (item.kind) {
    case "input":
      return [{ role: "user", content: inputOf(data(item.seq)) }];
    case "assistant":
      return assistant(item, data, used);
    case "partial":
      return partial(data(item.seq));
    case "notice":
      return [{ role: "developer", content: [text(noticeText(data(item.seq)))] }];
    case "summary": {
      const summary = dataOf("history.compacted", data(item.seq))?.summary ?? ERASED;
      return [{ role: "user", content: [text(`[Summary of what came before]\n${summary}`)] }];
    }
  }
}

/** Providers refuse blank texts and messages without content. */
function inputOf(data: unknown): readonly Block[] {
  const input = dataOf("input.received", data);
  if (input === undefined) return [text(ERASED)];
  const content = input.content.filter((block) => !isBlank(block)).map(wellFormedBlock);
  return content.length === 0 ? [text("[empty message]")] : content;
}

function partial(data: unknown): readonly Message[] {
  const interrupted = dataOf("model.interrupted", data);
  const why = interrupted?.by === "interrupt" ? "an interrupt" : "a crash";
  const note = `[The message above was cut off by ${why}. What follows does not repeat it.]`;
  return [
    { role: "assistant", content: [text((interrupted?.text ?? ERASED).trimEnd())] },
    { role: "developer", content: [text(note)] },
  ];
}

function assistant(
  item: HistoryItem & { kind: "assistant" },
  data: (seq: number) => unknown,
  used: Set<string>,
): readonly Message[] {
  const responded = dataOf("model.responded", data(item.seq));
  if (responded === undefined) return [{ role: "assistant", content: [text(ERASED)] }];
  const results = new Map(item.calls.map((call) => [call.call, call.result]));
  const content: Block[] = [];
  const answers: ToolResultBlock[] = [];
  for (const [index, block] of responded.content.entries()) {
    if (isBlank(block)) continue;
    if (block.type !== "tool_use") {
      content.push(wellFormedBlock(block));
      continue;
    }
    const key = callKey(item.seq, index);
    const call = validCall(block, key, used);
    content.push(call);
    const result = results.get(key);
    if (result !== undefined) answers.push(answerOf(call.id, data(result)));
    else answers.push(answers.length < MOST_CALLS ? noAnswer(call.id) : tooMany(call.id));
  }
  if (content.length === 0) return [];
  const message: Message = { role: "assistant", content };
  return answers.length === 0 ? [message] : [message, { role: "tool", content: answers }];
}

function isBlank(block: Block): boolean {
  return block.type === "text" && block.text.trim() === "";
}

/** A provider refuses blank, long or repeated ids and names; those get a stated placeholder, all others stay as they came. */
function validCall(block: ToolUseBlock, key: string, used: Set<string>): ToolUseBlock {
  const id = idOf(block.id, key, used);
  const name = VALID_NAME.test(block.name) ? block.name : "invalid_tool_name";
  const input = wellFormedObject(block.input);
  if (id === block.id && name === block.name && input === block.input && block.malformed === undefined) return block;
  return { type: "tool_use", id, name, input };
}

function idOf(given: string, key: string, used: Set<string>): string {
  let id = given.isWellFormed() ? given : "";
  for (let place = `call_${key.replace(".", "_")}`; id === "" || used.has(id); place += "_") id = place;
  used.add(id);
  return id;
}

function answerOf(id: string, data: unknown): ToolResultBlock {
  const finished = dataOf("tool.finished", data);
  if (finished === undefined) return { type: "tool_result", id, content: [text(ERASED)], isError: false };
  const content = finished.content.map(wellFormedBlock);
  if (finished.outcome === "ok") return { type: "tool_result", id, content, isError: false };
  return { type: "tool_result", id, content, isError: true, errorType: finished.errorType ?? finished.outcome };
}

/** A call whose result is not in the log: the run ended before it, or it was erased. */
function noAnswer(id: string): ToolResultBlock {
  const what =
    "interrupted. The log holds no result of this call; whether it took effect is unknown: check before you repeat it.";
  return { type: "tool_result", id, content: [text(what)], isError: true, errorType: "interrupted" };
}

/** A call beyond those of a message that are carried out. Short, for there may be thousands. */
function tooMany(id: string): ToolResultBlock {
  const what = `limit_reached: not run, only the first ${MOST_CALLS} calls of a message are. Make it again if it is still needed.`;
  return { type: "tool_result", id, content: [text(what)], isError: true, errorType: "limit_reached" };
}

function noticeText(data: unknown): string {
  if (typeof data !== "object" || data === null) return ERASED;
  if ("text" in data && typeof data.text === "string") return data.text;
  if ("message" in data && typeof data.message === "string") {
    return `[The newest records of this session were lost with the machine's power: ${data.message} What was done in that gap is unknown: check before you rely on it or repeat it.]`;
  }
  return ERASED;
}

function text(value: string): { readonly type: "text"; readonly text: string } {
  return { type: "text", text: wellFormedText(value) };
}
