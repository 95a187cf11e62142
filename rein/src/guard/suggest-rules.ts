import { relative } from "node:path";
import type { CallToJudge } from "../core/ports.ts";
import { type PathSources, prepareCall } from "./follow-paths.ts";
import { below } from "./path-pattern.ts";
import { allowRules } from "./policies/allow-rules.ts";
import { isHarmless } from "./policies/workspace-read.ts";
import type { JudgedCall, Place } from "./policy.ts";
import { parseRule, toolOfRule } from "./rule.ts";

/** A call that was denied because nothing grants it. */
export type UngrantedCall = Pick<CallToJudge, "tool" | "effects" | "folder">;

/** A longer rule is nothing that a person would read before they give it. */
const MOST_UNITS = 2_000;

/** Characters that a pattern reads as something else than themselves; in brackets they stand for themselves. */
const SPECIAL = /[*?[\]{}()]/g;

/**
 * The narrowest allow rules that let a call run: written for the paths where its links lead, since those are judged, and each tried
 * before it is named. Empty where no rule says exactly that.
 */
export async function suggestRules(call: UngrantedCall, sources: PathSources): Promise<readonly string[]> {
  const judged = await prepareCall(
    { session: "", call: "", input: {}, readOnly: false, rules: { allow: [], deny: [] }, ask: "deny", ...call },
    sources,
  );
  if (judged.places.length === 0 && toolOfRule(call.tool) !== null) return [call.tool];
  const rules = new Set<string>();
  for (const place of judged.places) {
    if (isHarmless(place, judged)) continue;
    const rule = candidates(place, judged).find(
      (text) => text.length <= MOST_UNITS && admits(text, place, judged) && !admitsMore(text, place, judged),
    );
    if (rule === undefined) return [];
    rules.add(rule);
  }
  return [...rules];
}

function candidates({ effect, real }: Place, { tool, anchors }: JudgedCall): readonly string[] {
  switch (effect.kind) {
    case "execute":
      return [`Bash(${effect.command})`];
    case "write":
      return pathRules("Write", real, anchors.workspace, "");
    case "read":
      return pathRules("Read", real, anchors.workspace, "");
    case "read-tree":
      return pathRules("Read", real, anchors.workspace, "/**");
    case "execute-argv":
    case "connect":
    case "state":
      return [tool];
  }
}

/** From the workspace where the path lies in it, and from the root: not every name can begin a pattern. */
function pathRules(name: string, real: string | undefined, workspace: string, rest: string): readonly string[] {
  if (real === undefined) return [];
  const inside = below(workspace, real);
  const written = (path: string): string => `${path.replace(SPECIAL, "[$&]")}${rest}`;
  const rooted = `${name}(/${written(real === "/" ? "" : real)})`;
  return inside === null || inside === "" ? [rooted] : [`${name}(${written(relative(workspace, real))})`, rooted];
}

function admits(text: string, place: Place, call: JudgedCall): boolean {
  const rule = parseRule(text);
  // A tool that is named as a rule for commands or paths is would allow far more than this call.
  if (rule.ok && rule.value.kind !== "tool" && !text.includes("(")) return false;
  return rule.ok && allowRules.judge({ ...call, places: [place], allow: [rule.value] })?.answer === "allow";
}

/** Whether a rule for a name with special characters covers a name without them too. */
function admitsMore(text: string, place: Place, call: JudgedCall): boolean {
  const other = place.real?.replace(SPECIAL, "x");
  if (place.real === undefined || other === undefined || other === place.real) return false;
  if (place.effect.kind === "execute") return false;
  return admits(text, { ...place, real: other }, call);
}
