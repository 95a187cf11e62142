import type { CallToJudge } from "../core/ports.ts";
import { parseRule, type Rule } from "./rule.ts";

/** The rules of a session, read. */
export interface ReadRules {
  readonly allow: readonly Rule[];
  readonly deny: readonly Rule[];
  /** Deny rules that can't be read, with what is wrong. An allow rule that can't be read allows nothing. */
  readonly unreadable: readonly string[];
}

const known = new WeakMap<CallToJudge["rules"], ReadRules>();

/** Reads the rules of a call; the same object is read once. */
export function readRules(rules: CallToJudge["rules"]): ReadRules {
  const before = known.get(rules);
  if (before !== undefined) return before;

  const allow = rules.allow.map(parseRule).flatMap((result) => (result.ok ? [result.value] : []));
  const denials = rules.deny.map(parseRule);
  const deny = denials.flatMap((result) => (result.ok ? [result.value] : []));
  const unreadable = denials.flatMap((result) => (result.ok ? [] : [`${result.error.message} ${result.error.hint}`]));
  const read: ReadRules = { allow, deny, unreadable };
  known.set(rules, read);
  return read;
}
