import { type Block, type Message, type ToolResultBlock, textOf } from "../../core/message/index.ts";
import type { ModelRequest } from "../../core/ports.ts";
import type { Conversation, PastCall } from "./conversation.ts";
import { outcomeOf } from "./outcome-of.ts";

const GO_ON =
  /^[\s\p{P}]*(?:please\s+)?(?:go on|go ahead|continue|carry on|proceed|resume|keep going|继续|接着做|接着来)(?:[\s,]+please)?[\s\p{P}]*$/iu;

/**
 * Reads a request. A task begins with a person's message and ends before the next one that follows an answer without
 * calls. A message that comes while the work goes on is a remark, unless `playbookOf` finds that it asks for another
 * playbook than the task: after an interrupt, that is what the person wants now. Words like "go on" begin nothing.
 */
export function readConversation(
  { messages, tools }: Pick<ModelRequest, "messages" | "tools">,
  playbookOf: (text: string) => string | undefined,
): Conversation {
  let task: string | undefined;
  let remarks: string[] = [];
  let calls: PastCall[] = [];
  let said: string[] = [];
  let answered = false;

  for (const [index, message] of messages.entries()) {
    const text = textOf(message.content);
    if (message.role === "assistant") {
      const made = callsOf(message.content, resultsAfter(messages, index));
      calls.push(...made);
      if (text !== "") said.push(text);
      answered = made.length === 0 && !wasCut(messages[index + 1]);
      continue;
    }
    if (message.role !== "user" || text.trim() === "") continue;
    if (task !== undefined && GO_ON.test(text)) continue;
    if (task === undefined || answered || isOther(playbookOf(text), playbookOf(task))) {
      task = text.trim();
      remarks = [];
      calls = [];
      said = [];
    } else remarks.push(text.trim());
    answered = false;
  }
  return { task: task ?? "", remarks, calls, said, offered: tools.map((tool) => tool.name) };
}

/** A message that a crash or an interrupt cut off is followed by the harness saying so; it answers nothing. */
function wasCut(next: Message | undefined): boolean {
  return next?.role === "developer" && /\bcut off\b/.test(textOf(next.content));
}

function isOther(asked: string | undefined, current: string | undefined): boolean {
  return asked !== undefined && asked !== current;
}

function callsOf(content: readonly Block[], results: ReadonlyMap<string, ToolResultBlock>): readonly PastCall[] {
  return content.flatMap((block) => (block.type === "tool_use" ? [pastCall(block, results.get(block.id))] : []));
}

function pastCall(
  { name, input }: Extract<Block, { readonly type: "tool_use" }>,
  result: ToolResultBlock | undefined,
): PastCall {
  const text = result === undefined ? "" : textOf(result.content);
  const call = { tool: name, input, outcome: outcomeOf(result), text };
  return result?.errorType === undefined ? call : { ...call, errorType: result.errorType };
}

/** Results up to the next message of the model: another model's ids may come again later in the conversation. */
function resultsAfter(messages: readonly Message[], index: number): ReadonlyMap<string, ToolResultBlock> {
  const results = new Map<string, ToolResultBlock>();
  for (let next = index + 1; next < messages.length; next += 1) {
    const message = messages[next];
    if (message === undefined || message.role === "assistant") break;
    for (const block of message.content) if (block.type === "tool_result") results.set(block.id, block);
  }
  return results;
}
