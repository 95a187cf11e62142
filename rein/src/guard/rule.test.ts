import { describe, expect, it } from "vitest";
import { parseRule } from "./rule.ts";

describe("parseRule", () => {
  it("reads commands exactly", () => {
    expect(parseRule("Bash(npm test)")).toEqual({
      ok: true,
      value: { kind: "command", text: "Bash(npm test)", command: "npm test" },
    });
    expect(parseRule("bash(echo (a) && b )")).toMatchObject({ value: { command: "echo (a) && b " } });
    expect(parseRule("Bash(a\nb)")).toMatchObject({ value: { command: "a\nb" } });
    expect(parseRule("shell")).toMatchObject({ value: { kind: "command", command: null } });
  });

  it.each(["Bash(npm:*)", "Bash(npm *)", "Bash(*)", "shell(ls *.ts)"])(
    "refuses the wildcard in %s with a hint",
    (text) => {
      expect(parseRule(text)).toMatchObject({
        ok: false,
        error: {
          code: "invalid_option",
          message: `The rule "${text}" holds a wildcard, and a command is compared as a whole text.`,
          hint: "Give one rule for each exact command, or write Bash to mean every command.",
        },
      });
    },
  );

  it.each([
    ["Read(src/**)", "read", { anchor: "workspace", base: "src", glob: "**", floating: false }],
    ["Write(report/**)", "write", { anchor: "workspace", base: "report", glob: "**", floating: false }],
    ["Write(report/)", "write", { anchor: "workspace", base: "report", glob: "**", floating: false }],
    ["Edit(/docs/a.md)", "write", { anchor: "workspace", base: "docs/a.md", glob: "", floating: false }],
    ["Read(.env)", "read", { anchor: "workspace", base: ".env", glob: "", floating: true }],
    ["Read(./.env)", "read", { anchor: "workspace", base: ".env", glob: "", floating: false }],
    ["Read(*.pem)", "read", { anchor: "workspace", base: "", glob: "*.pem", floating: true }],
    ["Read(//etc/hosts)", "read", { anchor: "root", base: "etc/hosts", glob: "", floating: false }],
    ["Write(~/notes/*.md)", "write", { anchor: "home", base: "notes", glob: "*.md", floating: false }],
    ["Read", "read", null],
    ["edit", "write", null],
  ])("reads the path of %s", (text, access, pattern) => {
    expect(parseRule(text)).toEqual({ ok: true, value: { kind: "path", text, access, pattern } });
  });

  it("takes the name of any other tool, bare or with (*)", () => {
    expect(parseRule("note_save")).toEqual({ ok: true, value: { kind: "tool", text: "note_save", tool: "note_save" } });
    expect(parseRule("note_save(*)")).toMatchObject({ value: { kind: "tool", tool: "note_save" } });
    expect(parseRule("mcp__files__get-it")).toMatchObject({ value: { tool: "mcp__files__get-it" } });
    expect(parseRule(" note_save ")).toMatchObject({ value: { tool: "note_save" } });
  });

  it.each([
    ["", "is not of the form Tool or Tool(argument)"],
    ["*", "is not of the form"],
    ["mcp__files__*", "is not of the form"],
    ["Bash(npm test", "is not of the form"],
    ["Bash npm test", "is not of the form"],
    ["Bash()", "names no command"],
    ["Bash(  )", "names no command"],
    ["note_save(x)", "gives an argument for note_save"],
    ["WebFetch(domain:example.com)", "gives an argument for WebFetch"],
    ["Write()", "names no path"],
    ["Write(//)", "names no path"],
    ["Write(~/)", "names no path"],
    ["Write(~)", "names no path"],
    ["Write(~root/x)", "names no path"],
    ["Write(../x)", "holds an empty step, a . or a .."],
    ["Write(a/../../x)", "holds an empty step, a . or a .."],
    ["Write(a//b)", "holds an empty step, a . or a .."],
    ["Write(///etc)", "holds an empty step, a . or a .."],
    ["Write(!a/**)", "starts with !"],
    ["Write(a\\*b)", "holds a backslash"],
    ["Write(a\0b)", "control character"],
    ["Write(a\nb)", "control character"],
  ])("refuses %j", (text, message) => {
    const result = parseRule(text);
    expect(result).toMatchObject({ ok: false, error: { code: "invalid_option", class: "permanent" } });
    expect(result.ok ? "" : result.error.message).toContain(message);
    expect(result.ok ? "" : result.error.hint).not.toBe("");
  });
});
