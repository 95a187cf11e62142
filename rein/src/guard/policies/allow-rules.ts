import { resolve } from "node:path";
import { allowCovers, WHOLE_WORKSPACE } from "../path-pattern.ts";
import type { JudgedCall, Place, Policy } from "../policy.ts";
import type { Rule } from "../rule.ts";
import { isHarmless } from "./workspace-read.ts";

/** Grants what rules of a person cover: every effect that is not harmless by itself, each by some rule. */
export const allowRules: Policy = {
  name: "allow-rules",
  grants: true,
  judge(call) {
    const used = new Set<string>();
    const tool = call.allow.find((rule) => rule.kind === "tool" && rule.tool === call.tool);
    if (tool !== undefined) return { answer: "allow", reason: `The rule ${tool.text} allows this tool.` };

    for (const place of call.places) {
      const rule = call.allow.find((candidate) => covers(candidate, place, call));
      if (rule !== undefined) used.add(rule.text);
      else if (!isHarmless(place, call)) return undefined;
    }
    if (used.size === 0) return undefined;
    return { answer: "allow", reason: `Allowed by ${[...used].join(", ")}.` };
  },
};

function covers(rule: Rule, { effect, given, real }: Place, call: JudgedCall): boolean {
  switch (rule.kind) {
    case "tool":
      return false;
    case "command":
      if (effect.kind === "execute-argv") return rule.command === null;
      if (effect.kind !== "execute") return false;
      // The same text in another folder is another command.
      if (rule.command === null) return true;
      return effect.command === rule.command && given === resolve(call.folder) && real === call.anchors.workspace;
    case "path": {
      const isTree = effect.kind === "read-tree";
      if (effect.kind !== rule.access && !(isTree && rule.access === "read")) return false;
      return real !== undefined && allowCovers(rule.pattern ?? WHOLE_WORKSPACE, call.anchors, real, isTree);
    }
  }
}
