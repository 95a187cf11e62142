import { placesIn } from "./places-in.ts";
import type { FailingTest, TestFormat } from "./test-reading.ts";

const FAIL = /^\s*--- FAIL: (?<name>\S+) \([\d.]+s\)$/;
const PACKAGE = /^(?:FAIL\t|ok {2}\t|\?\s+\t)/;

/** `go test`, which counts packages and not tests. Source: Go's documentation of the command `go test`. */
export const goTest: TestFormat = (lines) => {
  if (!lines.some((line) => PACKAGE.test(line))) return undefined;
  const failures: FailingTest[] = [];
  for (const [index, line] of lines.entries()) {
    const built = /^FAIL\t(\S+) \[(?:build|setup) failed\]$/.exec(line)?.[1];
    if (built !== undefined) {
      const text = lines.filter((part) => /^\S+\.go:\d+:\d+: /.test(part)).join("\n");
      failures.push({ name: `${built} does not build`, places: placesIn(text), message: text });
    }
    const name = FAIL.exec(line)?.groups?.name;
    if (name === undefined) continue;
    const end = lines.findIndex(
      (next, later) => later > index && (FAIL.test(next) || /^(?:FAIL|PASS|ok\b|--- )/.test(next.trim())),
    );
    const text = lines
      .slice(index + 1, end < 0 ? undefined : end)
      .join("\n")
      .trim();
    // A parent says nothing itself: its subtests are named.
    if (text !== "") failures.push({ name, places: placesIn(text), message: text });
  }
  return { runner: "go test", failures };
};
