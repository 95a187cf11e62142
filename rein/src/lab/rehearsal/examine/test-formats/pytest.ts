import { countOf, counts } from "./count-of.ts";
import { placesIn } from "./places-in.ts";
import type { FailingTest, TestFormat } from "./test-reading.ts";

const SUMMARY =
  /^(?:=+ )?(?:\d+ (?:passed|failed|errors?|skipped|deselected|xfailed|xpassed|warnings?)(?:, )?)+ in [\d.]+s/;
const SHORT = /^(?:FAILED|ERROR) (?<file>.+?\.py)(?:::(?<name>\S+(?: \S+)*?))?(?: - (?<reason>.*))?$/;

/** pytest, with or without `-q`. Source: pytest's documentation of its output. */
export const pytest: TestFormat = (lines) => {
  if (lines.some((line) => /^(?:=+ )?no tests ran in [\d.]+s/.test(line))) {
    return { runner: "pytest", passed: 0, failed: 0, failures: [] };
  }
  const summary = lines.findLast((line) => SUMMARY.test(line));
  if (summary === undefined) return undefined;
  const failures: FailingTest[] = [];
  for (const line of lines) {
    const found = SHORT.exec(line)?.groups;
    if (found === undefined) continue;
    const file = found.file ?? "";
    const section = sectionOf(lines, found.name?.replaceAll("::", ".") ?? file);
    const here = placesIn(section).filter((place) => place.file.endsWith(file));
    failures.push({
      name: found.name ?? file,
      places: placesIn(section, here.length === 0 ? [{ file }] : here),
      message: section === "" ? (found.reason ?? "") : section,
    });
  }
  const failed = (countOf([summary], /(\d+) failed/) ?? 0) + (countOf([summary], /(\d+) errors?/) ?? 0);
  return { runner: "pytest", ...counts(countOf([summary], /(\d+) passed/) ?? 0, failed), failures };
};

/** The lines under `____ name ____`. */
function sectionOf(lines: readonly string[], name: string): string {
  const start = lines.findIndex((line) => /^_{3,} .+ _{3,}$/.test(line) && line.includes(` ${name} `));
  if (start < 0) return "";
  const end = lines.findIndex(
    (line, later) => later > start && /^(?:_{3,} |={3,} )/.test(line) && !/^(?:_ )+_?$/.test(line),
  );
  return lines
    .slice(start + 1, end < 0 ? undefined : end)
    .join("\n")
    .trim();
}
