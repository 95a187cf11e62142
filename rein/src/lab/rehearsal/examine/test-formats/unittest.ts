import { countOf, counts } from "./count-of.ts";
import { placesIn } from "./places-in.ts";
import type { FailingTest, TestFormat } from "./test-reading.ts";

const HEAD = /^(?:FAIL|ERROR): (?<name>\S+) \((?<where>[^)]+)\)/;

/** Python's `unittest`. Source: Python's documentation of `unittest`. */
export const unittest: TestFormat = (lines) => {
  const ran = countOf(lines, /^Ran (\d+) tests? in [\d.]+s$/);
  if (ran === undefined) return undefined;
  const failures: FailingTest[] = [];
  for (const [index, line] of lines.entries()) {
    const name = HEAD.exec(line)?.groups?.name;
    if (name === undefined) continue;
    const end = lines.findIndex((next, later) => later > index && (HEAD.test(next) || /^Ran \d+ test/.test(next)));
    const text = lines
      .slice(index + 1, end < 0 ? undefined : end)
      .filter((part) => !/^[-=]{10,}$/.test(part))
      .join("\n")
      .trim();
    failures.push({ name, places: placesIn(text), message: text });
  }
  return { runner: "unittest", ...counts(Math.max(0, ran - failures.length), failures.length), failures };
};
