import { countOf, counts } from "./count-of.ts";
import { placesIn } from "./places-in.ts";
import type { FailingTest, TestFormat } from "./test-reading.ts";

/** Jest's default reporter. Source: Jest's documentation of the command line. */
export const jest: TestFormat = (lines) => {
  if (!lines.some((line) => /^Test Suites:\s/.test(line))) return undefined;
  const failures: FailingTest[] = [];
  let file = "";
  for (const [index, line] of lines.entries()) {
    // The summary repeats every failure.
    if (/^Summary of all failing tests/.test(line)) break;
    file = /^FAIL (?:\S+ )?(\S+\.\w+)(?: \(.*\))?$/.exec(line)?.[1] ?? file;
    const name = /^ {2}● (.+)$/.exec(line)?.[1];
    if (name === undefined) continue;
    const end = lines.findIndex((next, later) => later > index && /^(?: {2}● |FAIL |PASS |Test Suites:)/.test(next));
    const text = lines
      .slice(index + 1, end < 0 ? undefined : end)
      .join("\n")
      .trim();
    failures.push({ name, places: placesIn(text, file === "" ? [] : [{ file }]), message: text });
  }
  const passed = countOf(lines, /^Tests:.*?\b(\d+) passed/);
  const failed = countOf(lines, /^Tests:.*?\b(\d+) failed/);
  return { runner: "Jest", ...counts(passed ?? 0, failed ?? 0), failures };
};
