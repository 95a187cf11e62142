import type { JsonObject } from "../../core/json.ts";
import type { Block } from "../../core/message/index.ts";
import type { ModelRequest } from "../../core/ports.ts";
import type { Usage } from "../../core/session/index.ts";

/** Usage of an answer that no provider counted: an estimate, free of charge. */
export function estimateUsage(request: ModelRequest, answer: readonly Block[]): Usage {
  return { input: tokens(inputOf(request)), output: tokens(lengthOf(answer)), cost: 0, estimated: true };
}

/** About four characters to a token, as for English text. */
function tokens(characters: number): number {
  return Math.ceil(characters / 4);
}

function inputOf({ system, tools, messages }: ModelRequest): number {
  let characters = system.length;
  for (const tool of tools) characters += tool.name.length + tool.description.length + sizeOf(tool.input);
  for (const message of messages) characters += lengthOf(message.content);
  return characters;
}

function lengthOf(content: readonly Block[]): number {
  let characters = 0;
  for (const block of content) {
    if (block.type === "text" || block.type === "thinking") characters += block.text.length;
    else if (block.type === "tool_use") characters += block.name.length + sizeOf(block.input);
    else if (block.type === "tool_result") characters += lengthOf(block.content);
    else if (block.type === "unknown") characters += block.raw.length;
  }
  return characters;
}

function sizeOf(value: JsonObject): number {
  return JSON.stringify(value).length;
}
