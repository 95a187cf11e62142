import { expect, test } from "vitest";
import { allowRulesFor } from "./allow-rules-for.ts";

test("the narrowest rule for each effect", () => {
  const rules = (effects: Parameters<typeof allowRulesFor>[1]) => allowRulesFor("my_tool", effects, "/repo");
  expect(rules([{ kind: "execute", command: "npm test", cwd: "/repo" }])).toEqual(["Bash(npm test)"]);
  expect(rules([{ kind: "write", path: "/repo/a/b.md" }])).toEqual(["Write(a/b.md)"]);
  expect(rules([{ kind: "read", path: "/etc/hosts" }])).toEqual(["Read(//etc/hosts)"]);
  expect(rules([{ kind: "read-tree", path: "/etc" }])).toEqual(["Read(//etc/**)"]);
  expect(rules([{ kind: "state", what: "notes" }])).toEqual(["my_tool"]);
});

test("what no rule names exactly gets none", () => {
  const rules = (effects: Parameters<typeof allowRulesFor>[1]) => allowRulesFor("my_tool", effects, "/repo");
  expect(rules([{ kind: "execute", command: "ls *", cwd: "/repo" }])).toEqual([]);
  expect(rules([{ kind: "execute", command: "npm test", cwd: "/elsewhere" }])).toEqual([]);
  expect(rules([{ kind: "write", path: "/repo/[a].md" }])).toEqual([]);
});
