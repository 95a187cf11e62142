import { stripVTControlCharacters } from "node:util";
import { cargoTest } from "./cargo-test.ts";
import { goTest } from "./go-test.ts";
import { jest } from "./jest.ts";
import { mocha } from "./mocha.ts";
import { nodeSpec } from "./node-spec.ts";
import { placesIn } from "./places-in.ts";
import { pytest } from "./pytest.ts";
import { tap } from "./tap.ts";
import type { TestFormat, TestReading } from "./test-reading.ts";
import { unittest } from "./unittest.ts";
import { vitest } from "./vitest.ts";

/** The runners whose output can be read; the first that knows it reads it. */
const FORMATS: readonly TestFormat[] = [nodeSpec, tap, vitest, jest, pytest, unittest, goTest, cargoTest, mocha];

/** Lines of an output that tell what went wrong when no runner is known, and lines around it. */
const TELLING = /\b(?:error|exception|panic|assert\w*|fatal|not found|cannot|no module named)\b/i;

/** Reads the output of a test run; of an unknown runner, only the places that its telling lines name. */
export function readTestOutput(output: string): TestReading {
  const lines = stripVTControlCharacters(output).split(/\r?\n/);
  for (const format of FORMATS) {
    const reading = format(lines);
    if (reading !== undefined) return reading;
  }
  return { runner: "unknown", failures: [] };
}

/** What an output says of errors when no failing test is named in it: the first telling line with what follows, and its places. */
export function readError(output: string): {
  readonly text: string;
  readonly places: TestReading["failures"][number]["places"];
} {
  const lines = stripVTControlCharacters(output).split(/\r?\n/);
  const first = lines.findIndex((line) => TELLING.test(line));
  const text = lines
    .slice(Math.max(0, first - 2), Math.max(0, first) + 12)
    .join("\n")
    .trim();
  return { text, places: placesIn(first < 0 ? output : lines.slice(Math.max(0, first - 4)).join("\n")) };
}
