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
