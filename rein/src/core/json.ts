import { fail, ok, type Result } from "./errors.ts";

/** Any JSON value. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object. Look names that come from a model up with {@link own}, never with a bare index. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Parses JSON text; the one place where foreign JSON comes in. `what` names the text in the error. */
export function parseJson(text: string, what: string): Result<JsonValue> {
  try {
    const value: JsonValue = JSON.parse(text);
    return ok(value);
  } catch (cause) {
    return fail("event_invalid", `${what} is not valid JSON.`, "Check where it was cut or edited by hand.", { cause });
  }
}

/** Whether a value is a JSON object (not null, not an array). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Deepest nesting of a JSON value from a model: no real call comes near. Every walk over such a value recurses, so what is
 * deeper is turned away where it comes in, and never walked.
 */
export const MOST_JSON_DEPTH = 64;

/** Whether a value has more levels of objects and lists in it than `most`. Looks no deeper than that. */
export function isDeeperThan(value: JsonValue, most: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (most <= 0) return true;
  for (const item of Object.values<JsonValue>(value)) if (isDeeperThan(item, most - 1)) return true;
  return false;
}

/** JSON of a value that may be nested however deeply: the same text as `JSON.stringify`, which would overflow the stack. Throws on a cycle, as that does. */
export function textOfDeepJson(value: JsonValue): string {
  let text = "";
  const open = new Set<object>();
  const todo: ({ readonly text: string; readonly closes?: object } | { readonly value: JsonValue })[] = [{ value }];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if ("text" in next) {
      text += next.text;
      if (next.closes !== undefined) open.delete(next.closes);
    } else if (typeof next.value !== "object" || next.value === null) text += JSON.stringify(next.value);
    else {
      if (open.has(next.value)) throw new TypeError("The value holds itself.");
      open.add(next.value);
      const isList = Array.isArray(next.value);
      text += isList ? "[" : "{";
      todo.push({ text: isList ? "]" : "}", closes: next.value });
      for (const [index, [key, item]] of [...Object.entries<JsonValue>(next.value).entries()].reverse()) {
        const comma = index === 0 ? "" : ",";
        todo.push({ value: item }, { text: isList ? comma : `${comma}${JSON.stringify(key)}:` });
      }
    }
  }
  return text;
}

/** The own property of that name, never one of the prototype. */
export function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** JSON with sorted keys: the same value gives the same text, so a digest of it is stable. */
export function canonicalJson(value: JsonValue): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  let text = "";
  if (Array.isArray(value)) {
    for (const item of value) text += text === "" ? canonicalJson(item) : `,${canonicalJson(item)}`;
    return `[${text}]`;
  }
  if (!isJsonObject(value)) return JSON.stringify(value);
  for (const key of Object.keys(value).sort()) {
    const member = `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`;
    text += text === "" ? member : `,${member}`;
  }
  return `{${text}}`;
}
