import { countOf, counts } from "./count-of.ts";
import { placesIn } from "./places-in.ts";
import type { FailingTest, TestFormat } from "./test-reading.ts";

const NOT_OK = /^(?<indent>\s*)not ok \d+(?:\s+-)?\s+(?<name>.*)$/;

/** TAP, which `node --test` writes into a pipe up to Node 22. Source: TAP version 14, and Node's documentation of `node:test`. */
export const tap: TestFormat = (lines) => {
  if (!lines.some((line) => /^TAP version \d+$/.test(line))) return undefined;
  const failures: FailingTest[] = [];
  for (const [index, line] of lines.entries()) {
    const found = NOT_OK.exec(line)?.groups;
    if (found === undefined || /#\s*(?:TODO|SKIP)\b/i.test(found.name ?? "")) continue;
    const details = detailsAfter(lines, index, (found.indent ?? "").length);
    // A parent fails because of its children, which are named themselves.
    if (details.some((detail) => /failureType: 'subtestsFailed'/.test(detail))) continue;
    const text = details.join("\n");
    failures.push({
      name: unescaped(found.name ?? ""),
      places: placesIn(text, location(details)),
      message: messageOf(details),
    });
  }
  const passed = countOf(lines, /^# pass (\d+)$/) ?? lines.filter((line) => /^ok \d/.test(line)).length;
  const failed = countOf(lines, /^# fail (\d+)$/) ?? lines.filter((line) => /^not ok \d/.test(line)).length;
  return { runner: "TAP", ...counts(passed, failed), failures };
};

/** Lines of the YAML block that may follow a test point, without their indent. */
function detailsAfter(lines: readonly string[], index: number, indent: number): readonly string[] {
  if (lines[index + 1]?.trim() !== "---") return [];
  const end = lines.findIndex((line, later) => later > index && line.trim() === "...");
  return lines.slice(index + 2, end < 0 ? undefined : end).map((line) => line.slice(indent + 2));
}

function location(details: readonly string[]): FailingTest["places"] {
  const found = details
    .map((line) => /^location: '(?<file>.+?):(?<line>\d+):\d+'$/.exec(line)?.groups)
    .find((groups) => groups);
  return found === undefined ? [] : [{ file: found.file ?? "", line: Number(found.line) }];
}

/** The lines from `error:` on, up to the stack. */
function messageOf(details: readonly string[]): string {
  const start = details.findIndex((line) => line.startsWith("error:"));
  if (start < 0) return "";
  const end = details.findIndex((line, later) => later > start && /^(?:code|stack|name|expected):/.test(line));
  const [first = "", ...more] = details.slice(start, end < 0 ? undefined : end);
  const inline = first.replace(/^error:\s*(?:\|-?)?/, "").replace(/^'(.*)'$/, "$1");
  const values = details.filter((line) => /^(?:expected|actual):/.test(line));
  return [inline, ...more.map((line) => line.replace(/^ {2}/, "")), ...values].join("\n").trim();
}

function unescaped(name: string): string {
  return name.replace(/\\([\\#])/g, "$1");
}
