import { fail, ok, type Result } from "../core/errors.ts";
import type { CallToJudge } from "../core/ports.ts";
import { parseRule, RULE_NAMES, toolOfRule } from "./rule.ts";

/** The tools that rules may name. */
export interface KnownTools {
  readonly names: readonly string[];
  /** The one of some names that was probably meant. */
  readonly nearest: (name: string, names: readonly string[]) => string | undefined;
}

const MOST_NAMES = 40;

/**
 * Whether each rule can be read and names a tool that there is: one that can't be read, or that can never match, would
 * silently allow or deny nothing. `invalid_option` says which, and what was probably meant.
 */
export function checkRules({ allow, deny }: CallToJudge["rules"], tools: KnownTools): Result<void> {
  for (const text of [...allow, ...deny]) {
    const tool = toolOfRule(text);
    if (tool !== null && !tools.names.includes(tool)) return unknownTool(text, tool, tools);
    const rule = parseRule(text);
    if (!rule.ok) return rule;
  }
  return ok(undefined);
}

function unknownTool(text: string, tool: string, { names, nearest }: KnownTools): Result<never> {
  const meant = nearest(tool, [...RULE_NAMES, ...names]);
  const suggestion = meant === undefined ? "" : ` Did you mean ${meant}?`;
  const own = names.filter((name) => toolOfRule(name) !== null);
  const known = [...RULE_NAMES, ...own.slice(0, MOST_NAMES)].join(", ");
  return fail(
    "invalid_option",
    `The rule ${JSON.stringify(text)} names a tool that does not exist, so it would never hold.${suggestion}`,
    `A rule begins with one of: ${known}${own.length > MOST_NAMES ? " and more" : ""}.`,
  );
}
