import { isInputBlock } from "../../core/message/index.ts";
import type { ResultContent } from "../../core/session/index.ts";
import type { Failure } from "./failure-text.ts";
import { isToolFailure } from "./tool-failure.ts";

/** A handler's value as content, and its failure if it is one. */
export interface Returned {
  readonly content: ResultContent;
  readonly failure?: Failure;
}

/**
 * What a handler returned, as content: text as it is, blocks as they are, a failure with its partial content, anything
 * else as JSON text. What JSON cannot hold is a failure of the tool, never an exception.
 */
export function contentOf(value: unknown): Returned {
  if (isToolFailure(value)) {
    const partial = value.content === undefined ? { content: [] } : contentOf(value.content);
    return { content: partial.content, failure: { type: value.type, message: value.message, hint: value.hint } };
  }
  if (value === undefined || value === null) return { content: [] };
  if (typeof value === "string") return { content: [{ type: "text", text: value }] };
  if (isContent(value)) return { content: value };
  return json(value);
}

function json(value: unknown): Returned {
  const loses = whatJsonLoses(value);
  if (loses !== undefined) return unserialisable(`It returned ${loses}, which JSON cannot hold.`);
  try {
    const text = JSON.stringify(value);
    // A toJSON of the value's own may still give nothing.
    return text === undefined
      ? unserialisable("It returned a value that has no JSON.")
      : { content: [{ type: "text", text }] };
  } catch (thrown) {
    // JSON is written by recursion, which only depth exhausts.
    if (thrown instanceof RangeError) return unserialisable("It returned a value that is nested too deeply for JSON.");
    const why = thrown instanceof Error ? thrown.message.split("\n", 1)[0] : "it threw";
    return unserialisable(`It returned a value that cannot be written as JSON: ${why}`);
  }
}

function whatJsonLoses(value: unknown): string | undefined {
  if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint") return `a ${typeof value}`;
  if (value instanceof Map || value instanceof Set || value instanceof Error) return `a ${value.constructor.name}`;
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return "raw bytes";
  return undefined;
}

function unserialisable(message: string): Returned {
  const hint = "This is a fault of the tool: it must return text, content blocks or plain JSON. Use another tool.";
  return { content: [], failure: { type: "tool_failed", message, hint } };
}

function isContent(value: unknown): value is ResultContent {
  return Array.isArray(value) && value.length > 0 && value.every(isInputBlock);
}
