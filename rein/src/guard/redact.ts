import { isJsonObject, type JsonValue } from "../core/json.ts";
import type { Redact } from "../core/ports.ts";
import { secretSpellings } from "./secret-spellings.ts";
import { createSecretStream, trieOf } from "./secret-trie.ts";
import { secretValues } from "./secret-values.ts";

/** Where secrets come from. */
export interface RedactOptions {
  /** The environment; see `secret-values.ts` for what counts as a secret in it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** More secrets by name; each value counts whatever it is, if it has 4 characters or more. */
  readonly extra?: Readonly<Record<string, string>>;
}

const LEAST_EXTRA = 4;

const MARK = /\[secret:([A-Za-z0-9_.-]+)\]/g;

/**
 * Makes the filter that replaces known secrets by `[secret:NAME]`: as they are, as in JSON, percent-encoded, and in
 * base64. Where several fit, the one that starts first counts, then the longest.
 */
export function createRedact(options: RedactOptions): Redact {
  const extra = Object.entries(options.extra ?? {})
    .map(([name, value]) => ({ name, value }))
    .filter(({ value }) => value.length >= LEAST_EXTRA);
  const spellings = secretSpellings([...extra, ...secretValues(options.env)]);
  const active = spellings.size > 0;
  const pattern = patternOf(spellings);
  const text = (input: string): string =>
    pattern === null ? input : input.replace(pattern, (spelling) => spellings.get(spelling) ?? spelling);
  const root = active ? trieOf(spellings) : null;

  return {
    active,
    text,
    // Replacing strings by strings keeps the shape, which the type checker can't see.
    value: <T extends JsonValue>(value: T): T => (active ? (redactValue(value, text) as T) : value),
    stream: () => (root === null ? passThrough : createSecretStream(root)),
    marks: (input) => [...new Set(Array.from(input.matchAll(MARK), ([, name]) => name ?? ""))],
  };
}

const passThrough = { push: (text: string): string => text, flush: (): string => "" };

function patternOf(spellings: ReadonlyMap<string, string>): RegExp | null {
  if (spellings.size === 0) return null;
  const longestFirst = [...spellings.keys()].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  return new RegExp(longestFirst.map((spelling) => spelling.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|"), "g");
}

function redactValue(value: JsonValue, text: (input: string) => string): JsonValue {
  if (typeof value === "string") return text(value);
  if (Array.isArray(value)) {
    const items = value.map((item: JsonValue) => redactValue(item, text));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isJsonObject(value)) return value;

  const members = new Map<string, JsonValue>();
  let changed = false;
  for (const [key, member] of Object.entries(value)) {
    const newKey = text(key);
    const newMember = redactValue(member, text);
    if (newKey !== key || newMember !== member) changed = true;
    members.set(freeKey(newKey, members), newMember);
  }
  return changed ? Object.fromEntries(members) : value;
}

/** Two keys may have become the same: neither member is lost. */
function freeKey(key: string, members: ReadonlyMap<string, JsonValue>): string {
  let free = key;
  for (let number = 2; members.has(free); number++) free = `${key}#${number}`;
  return free;
}
