import { countOf, counts } from "./count-of.ts";
import { placesIn } from "./places-in.ts";
import type { FailingTest, TestFormat } from "./test-reading.ts";

const FAIL = /^ FAIL\s+(?:\|\S+\|\s+)?(?<file>\S.*?)(?: \[ .+ \])?(?: > (?<name>.+))?$/;

/** Vitest's default reporter. Source: Vitest's documentation of reporters. */
export const vitest: TestFormat = (lines) => {
  if (!lines.some((line) => /^\s*Test Files {2}/.test(line))) return undefined;
  const failures: FailingTest[] = [];
  for (const [index, line] of lines.entries()) {
    const found = FAIL.exec(line)?.groups;
    if (found === undefined) continue;
    const end = lines.findIndex((next, later) => later > index && (FAIL.test(next) || next.startsWith("⎯⎯")));
    const text = lines
      .slice(index + 1, end < 0 ? undefined : end)
      .join("\n")
      .trim();
    const file = found.file ?? "";
    failures.push({ name: found.name ?? file, places: placesIn(text, [{ file }]), message: text });
  }
  const passed = countOf(lines, /^\s+Tests .*?\b(\d+) passed/);
  const failed = countOf(lines, /^\s+Tests .*?\b(\d+) failed/);
  return { runner: "Vitest", ...counts(passed ?? 0, failed ?? 0), failures };
};
