import { isAbsolute, relative } from "node:path";
import type { CallEffect } from "rein";

/** Characters that a path rule reads as something else than themselves. */
const PATTERN = /[*?[\]{}()!\\]/;

/** The narrowest rules under which a call with these effects runs unasked; empty where no rule names it exactly. */
export function allowRulesFor(tool: string, effects: readonly CallEffect[], folder: string): readonly string[] {
  const rules: string[] = [];
  for (const effect of effects) {
    const rule = ruleFor(tool, effect, folder);
    if (rule === null) return [];
    rules.push(rule);
  }
  return rules;
}

function ruleFor(tool: string, effect: CallEffect, folder: string): string | null {
  switch (effect.kind) {
    case "execute":
      // A rule for a command is its exact text, and holds in the workspace folder.
      return /[*\n]/.test(effect.command) || effect.cwd !== folder ? null : `Bash(${effect.command})`;
    case "write":
      return pathRule("Write", effect.path, folder, "");
    case "read":
      return pathRule("Read", effect.path, folder, "");
    case "read-tree":
      return pathRule("Read", effect.path, folder, "/**");
    case "execute-argv":
    case "connect":
    case "state":
      return tool;
  }
}

function pathRule(name: string, path: string, folder: string, below: string): string | null {
  if (PATTERN.test(path) || !isAbsolute(path)) return null;
  const short = relative(folder, path);
  const isOutside = short === "" || short === ".." || short.startsWith("../");
  return isOutside ? `${name}(/${path}${below})` : `${name}(${short}${below})`;
}
