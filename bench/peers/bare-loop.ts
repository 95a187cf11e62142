/**
 * The yardstick: the least that anybody can do. A generator that asks the model, hands each part to its caller, keeps the text, calls
 * the tool, and keeps the messages serialised, each once. With a log it inserts one row where Rein commits: the intent of a request
 * with the results before it, and the message with the intent of its calls.
 */
import type { Message, ModelStreamPart } from "rein";
import { NOOP_RESULT, type StubModel } from "./stub-model.ts";

/** Takes the text of one commit. */
export type BareLog = (intoRequest: boolean, text: string) => void;

/** What the yardstick hands to its caller. */
export type BarePart = ModelStreamPart | { readonly type: "result"; readonly text: string };

/** Runs a task to its end; returns the last text. */
export async function* bareLoop(model: StubModel, task: string, log: BareLog | null): AsyncGenerator<BarePart, string> {
  const messages: Message[] = [];
  const wire: string[] = [];
  const add = (message: Message): string => {
    const text = JSON.stringify(message);
    messages.push(message);
    wire.push(text);
    return text;
  };
  let written = add({ role: "user", content: [{ type: "text", text: task }] });
  for (let turn = 1; ; turn += 1) {
    log?.(true, written);
    let text = "";
    let done: (ModelStreamPart & { type: "done" }) | null = null;
    for await (const part of model.stream({ trace: { turn } })) {
      if (part.type === "text_delta") text += part.text;
      if (part.type === "done") done = part;
      yield part;
    }
    if (done === null) throw new Error("The stub ended without its end.");
    log?.(false, add({ role: "assistant", content: done.content }));
    const results: Message["content"][number][] = [];
    for (const block of done.content) {
      if (block.type !== "tool_use") continue;
      const result = await noop();
      yield { type: "result", text: result };
      results.push({ type: "tool_result", id: block.id, content: [{ type: "text", text: result }], isError: false });
    }
    if (results.length === 0) return text;
    written = add({ role: "tool", content: results });
  }
}

async function noop(): Promise<string> {
  return NOOP_RESULT;
}
