import { describePlace } from "../describe-place.ts";
import { denyTouches } from "../path-pattern.ts";
import type { DenyRule, Place, Policy } from "../policy.ts";

/** Denies what a deny rule touches: one effect is enough, by the path as named or by where it leads. */
export const denyRules: Policy = {
  name: "deny-rules",
  grants: false,
  judge(call) {
    const [unreadable] = call.unreadable;
    if (unreadable !== undefined) {
      return { answer: "deny", reason: `A deny rule of this session can't be read, so nothing runs: ${unreadable}` };
    }
    for (const deny of call.deny) {
      if (deny.rule.kind === "tool" && deny.rule.tool.toLowerCase() === call.tool.toLowerCase()) {
        return { answer: "deny", reason: `The rule ${deny.rule.text} denies this tool.` };
      }
      const place = call.places.find((candidate) => touches(deny, candidate));
      if (place !== undefined) {
        return { answer: "deny", reason: `The rule ${deny.rule.text} denies to ${describePlace(place)}.` };
      }
    }
    return undefined;
  },
};

function touches(deny: DenyRule, place: Place): boolean {
  const { rule } = deny;
  const { effect } = place;
  switch (rule.kind) {
    case "tool":
      return false;
    case "command":
      if (effect.kind === "execute") return rule.command === null || effect.command.trim() === rule.command.trim();
      if (effect.kind === "execute-argv") return rule.command === null || effect.argv.join(" ") === rule.command.trim();
      return false;
    case "path": {
      const isTree = effect.kind === "read-tree";
      if (effect.kind !== rule.access && !(isTree && rule.access === "read")) return false;
      const { pattern } = rule;
      if (pattern === null) return true;
      const paths = [place.given, place.real].filter((path) => path !== undefined);
      return paths.some((path) => denyTouches(pattern, deny.bases, path, isTree));
    }
  }
}
