import { countOf, counts } from "./count-of.ts";
import { placesIn } from "./places-in.ts";
import type { FailingTest, TestFormat } from "./test-reading.ts";

const AT = /^test at (?<file>.+?):(?<line>\d+):\d+$/;

/** `node --test` with its `spec` reporter, the default since Node 23. Source: Node's documentation of `node:test`, reporters. */
export const nodeSpec: TestFormat = (lines) => {
  const passed = countOf(lines, /^ℹ pass (\d+)$/);
  if (passed === undefined) return undefined;
  const start = lines.findIndex((line) => line.startsWith("✖ failing tests:"));
  const failures: FailingTest[] = [];
  for (let index = start < 0 ? lines.length : start; index < lines.length; index += 1) {
    const at = AT.exec(lines[index] ?? "")?.groups;
    if (at === undefined) continue;
    const next = lines.findIndex((line, later) => later > index && AT.test(line));
    const [title = "", ...message] = lines.slice(index + 1, next < 0 ? undefined : next);
    const text = message.join("\n").trim();
    failures.push({
      name: title.replace(/^\s*✖\s*/, "").replace(/ \([\d.]+ms\)$/, ""),
      places: placesIn(text, [{ file: at.file ?? "", line: Number(at.line) }]),
      message: text,
    });
  }
  return { runner: "node --test", ...counts(passed, countOf(lines, /^ℹ fail (\d+)$/)), failures };
};
