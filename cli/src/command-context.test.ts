import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { quoted } from "./command-context.ts";

test.each([
  "plain",
  "Bash(npm test)",
  "two  spaces and\ta tab",
  "line\nbreak",
  `it's "quoted" $HOME \`x\` \\ !`,
  "报告 résumé",
  "bell \u0007 and turn \u202e",
  `${"long ".repeat(500)}`,
])("a shell reads back %j", (argument) => {
  const line = quoted(argument);
  expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  const { stdout } = spawnSync("bash", ["-c", `printf %s ${line}`], {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C.UTF-8" },
  });
  expect(stdout).toBe(argument);
});
