/**
 * Text fit for a request: a lone surrogate cannot be sent as UTF-8, so it is shown as U+FFFD. The log keeps it as it came. A value that
 * is well-formed already comes back as it is.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import type { Block } from "../message/message.ts";

/** A text. */
export function wellFormedText(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

/** The members of an object, keys included. */
export function wellFormedObject(object: JsonObject): JsonObject {
  // Nearly all are; looking is cheaper than making them anew.
  if (isWellFormed(object)) return object;
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [wellFormedText(key), wellFormedJson(value)] as const),
  );
}

function isWellFormed(value: JsonValue): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormed);
  if (!isJsonObject(value)) return true;
  return Object.keys(value).every((key) => key.isWellFormed() && isWellFormed(value[key] ?? null));
}

function wellFormedJson(value: JsonValue): JsonValue {
  if (typeof value === "string") return wellFormedText(value);
  if (isWellFormed(value)) return value;
  if (isJsonObject(value)) return wellFormedObject(value);
  return Array.isArray(value) ? value.map(wellFormedJson) : value;
}

/** A block; opaque ones (signed, unknown) are not touched. */
export function wellFormedBlock<T extends Block>(block: T): T {
  if (block.type === "thinking" && block.signature !== undefined) return block;
  if ((block.type !== "text" && block.type !== "thinking") || block.text.isWellFormed()) return block;
  return { ...block, text: block.text.toWellFormed() };
}
