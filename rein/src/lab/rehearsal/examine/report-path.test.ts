import { expect, test } from "vitest";
import { DEFAULT_REPORT_PATH, reportPath } from "./report-path.ts";

test.each([
  ["Examine this folder and write a report", DEFAULT_REPORT_PATH],
  ["Examine and write it to docs/seen.md.", "docs/seen.md"],
  ["Examine; save the final report in `my notes/seen.txt`, please", "my notes/seen.txt"],
  ["write the report to ./out/", "out/README.md"],
  ["write the report into out/deep", "out/deep/README.md"],
  ["report to me", DEFAULT_REPORT_PATH],
  ["report to https://example.com/x", DEFAULT_REPORT_PATH],
  ["Write a report on the code in src/", DEFAULT_REPORT_PATH],
  ["Report on what README.md says", DEFAULT_REPORT_PATH],
  ["检查这个目录，写到 文档/报告.md。", "文档/报告.md"],
  ["把报告保存为“看到的.md”", "看到的.md"],
])("%s → %s", (task, path) => {
  expect(reportPath([task])).toBe(path);
});

test("what was said last counts", () => {
  expect(reportPath(["write it to a.md", "be quick", "no, write it to b.md"])).toBe("b.md");
});
