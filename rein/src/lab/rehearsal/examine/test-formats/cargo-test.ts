import { placesIn } from "./places-in.ts";
import type { FailingTest, TestFormat } from "./test-reading.ts";

const RESULT = /^test result: \S+ (\d+) passed; (\d+) failed;/;

/** `cargo test`. Source: The Cargo Book, `cargo test`. */
export const cargoTest: TestFormat = (lines) => {
  const results = lines.flatMap((line) => {
    const found = RESULT.exec(line);
    return found === null ? [] : [{ passed: Number(found[1]), failed: Number(found[2]) }];
  });
  const broken = lines.findIndex((line) => /^error: could not compile /.test(line));
  if (results.length === 0 && broken < 0) return undefined;
  const failures: FailingTest[] = lines.flatMap((line) => {
    const name = /^test (\S+)(?: - .*)? \.\.\. FAILED$/.exec(line)?.[1];
    if (name === undefined) return [];
    const text = sectionOf(lines, name);
    return [{ name, places: placesIn(text), message: text }];
  });
  if (broken >= 0) {
    const first = lines.findIndex((line) => /^error(?:\[E\d+\])?: /.test(line));
    const text = lines.slice(first, broken).join("\n").trim();
    failures.push({ name: "does not compile", places: placesIn(text), message: text });
  }
  if (results.length === 0) return { runner: "cargo test", failures };
  const sum = (key: "passed" | "failed"): number => results.reduce((total, result) => total + result[key], 0);
  return { runner: "cargo test", passed: sum("passed"), failed: sum("failed"), failures };
};

/** The lines under `---- name stdout ----`. */
function sectionOf(lines: readonly string[], name: string): string {
  const start = lines.indexOf(`---- ${name} stdout ----`);
  if (start < 0) return "";
  const end = lines.findIndex((line, later) => later > start && (line.startsWith("---- ") || line === "failures:"));
  return lines
    .slice(start + 1, end < 0 ? undefined : end)
    .join("\n")
    .trim();
}
