import { countOf, counts } from "./count-of.ts";
import { placesIn } from "./places-in.ts";
import type { FailingTest, TestFormat } from "./test-reading.ts";

const NUMBERED = /^ {2}\d+\) (?<name>.+)$/;

/** Mocha's `spec` reporter. Source: Mocha's documentation of reporters. */
export const mocha: TestFormat = (lines) => {
  const passed = countOf(lines, /^ {2}(\d+) passing \(/);
  if (passed === undefined) return undefined;
  const start = lines.findIndex((line) => /^ {2}\d+ failing$/.test(line));
  const failures: FailingTest[] = [];
  for (let index = start < 0 ? lines.length : start + 1; index < lines.length; index += 1) {
    const name = NUMBERED.exec(lines[index] ?? "")?.groups?.name;
    if (name === undefined) continue;
    const next = lines.findIndex((line, later) => later > index && NUMBERED.test(line));
    const body = lines.slice(index + 1, next < 0 ? undefined : next);
    // The title goes on over the following lines, up to the one that ends with a colon.
    const titleEnd = body.findIndex((line) => line.endsWith(":"));
    const title = [name, ...body.slice(0, titleEnd + 1)].map((part) => part.trim()).join(" › ");
    const text = body
      .slice(titleEnd + 1)
      .join("\n")
      .trim();
    failures.push({ name: title.replace(/:$/, ""), places: placesIn(text), message: text });
  }
  return { runner: "Mocha", ...counts(passed, countOf(lines, /^ {2}(\d+) failing$/) ?? 0), failures };
};
