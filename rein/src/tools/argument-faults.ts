import {
  isDeeperThan,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MOST_JSON_DEPTH,
  parseJson,
} from "../core/json.ts";
import type { Redact } from "../core/ports.ts";
import { shown } from "./schema/describe-issues.ts";

const TOO_DEEP = `They are nested deeper than ${MOST_JSON_DEPTH} levels`;

/** Says why raw argument text is no JSON object, or none that can be used. */
export function malformedFault(raw: string): string {
  const parsed = parseJson(raw, "It");
  if (parsed.ok && isDeeperThan(parsed.value, MOST_JSON_DEPTH)) return `${TOO_DEEP}: ${shown(raw)}`;
  if (parsed.ok) return `They are ${kindOf(parsed.value)}, not a JSON object: ${shown(raw)}`;
  const { cause } = parsed.error;
  const where = cause instanceof Error ? ` (${shown(cause.message)})` : "";
  return `They are not valid JSON${where}: ${shown(raw)}`;
}

/** What forbids arguments whatever their schema says: hostile depth, or the mark of a secret that must not be written back. */
export function argumentFault(input: JsonObject, redact: Redact): string | undefined {
  if (isDeeperThan(input, MOST_JSON_DEPTH)) return `${TOO_DEEP}.`;
  const name = markIn(input, redact);
  if (name === undefined) return undefined;
  return `They hold [secret:${name}], which stands for a value you were not shown; it would be used in place of the real one.`;
}

function markIn(value: JsonValue, redact: Redact): string | undefined {
  if (typeof value === "string") return value.includes("[secret:") ? redact.marks(value)[0] : undefined;
  if (!isJsonObject(value) && !Array.isArray(value)) return undefined;
  for (const [key, item] of Object.entries<JsonValue>(value)) {
    const name = markIn(key, redact) ?? markIn(item, redact);
    if (name !== undefined) return name;
  }
  return undefined;
}

function kindOf(value: JsonValue): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}
