import { expect, test } from "vitest";
import { codeBlock, inlineCode, table } from "./markdown.ts";

test.each([
  ["plain", "`plain`"],
  ["a`b", "``a`b``"],
  ["`", "`` ` ``"],
  ["a\nb", "`a⏎b`"],
  ["a\u202eb\u0007", "`a\\u{202e}b\\u{7}`"],
  ["文件 🙂", "`文件 🙂`"],
  ["", "`  `"],
])("%j as inline code", (text, code) => {
  expect(inlineCode(text)).toBe(code);
});

test("a code block ends only at its own end", () => {
  expect(codeBlock("a\n```\nb\n\n")).toBe("````\na\n```\nb\n````");
});

test("cells keep their bars", () => {
  expect(table(["a", "b"], [["1|2", "3"]])).toBe("| a | b |\n| --- | --- |\n| 1\\|2 | 3 |");
});
