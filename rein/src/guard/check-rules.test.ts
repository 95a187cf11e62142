import { expect, it } from "vitest";
import { nearestName } from "../tools/nearest-name.ts";
import { checkRules } from "./check-rules.ts";

const tools = { names: ["shell", "list", "save_note"], nearest: nearestName };
const check = (rule: string) => [
  checkRules({ allow: [rule], deny: [] }, tools),
  checkRules({ allow: [], deny: [rule] }, tools),
];

it.each(["Bash", "bash(npm test)", "shell", "Read(src/**)", "Write", "edit", "list", "save_note", "save_note(*)"])(
  "takes %s",
  (rule) => {
    for (const checked of check(rule)) expect(checked).toEqual({ ok: true, value: undefined });
  },
);

it.each([
  ["save-note", "save_note"],
  ["Save_Note", "save_note"],
  ["saveNote", "save_note"],
  ["List", "list"],
  ["Bashh", "Bash"],
  ["Wirte(report/**)", "Write"],
  ["save-note(*)", "save_note"],
])("refuses %s in either list, and suggests %s", (rule, meant) => {
  for (const checked of check(rule)) {
    expect(checked).toMatchObject({
      ok: false,
      error: {
        code: "invalid_option",
        message: `The rule "${rule}" names a tool that does not exist, so it would never hold. Did you mean ${meant}?`,
        hint: "A rule begins with one of: Bash, Read, Write, Edit, list, save_note.",
      },
    });
  }
});

it("suggests nothing where nothing is like it", () => {
  for (const rule of ["deploy", "constructor", "__proto__"]) {
    for (const checked of check(rule)) {
      expect(checked).toHaveProperty(
        "error.message",
        `The rule "${rule}" names a tool that does not exist, so it would never hold.`,
      );
    }
  }
});

it("names the rule that can't be read", () => {
  for (const checked of check("Bash(npm *)")) {
    expect(checked).toHaveProperty("error.message", expect.stringContaining('The rule "Bash(npm *)" holds a wildcard'));
  }
});
