import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readError, readTestOutput } from "./read-test-output.ts";

/** Recorded from the runners themselves (paths shortened), but for `go-test.txt`, written after Go's documentation. */
const recorded = (name: string): string => readFileSync(new URL(`data/${name}.txt`, import.meta.url), "utf8");

/** Failing tests as `name @ file:line, …`, and the first line of what is said of them. */
function shape(name: string) {
  const { runner, passed, failed, failures } = readTestOutput(recorded(name));
  return {
    runner,
    passed,
    failed,
    failures: failures.map(
      ({ name: title, places }) => `${title} @ ${places.map(({ file, line }) => `${file}:${line ?? ""}`).join(", ")}`,
    ),
  };
}

describe("output of", () => {
  test.each([
    [
      "node-spec",
      "node --test",
      16,
      1,
      ["an item exactly at its level is due @ test/reorder.test.js:20, /home/u/inventory/test/reorder.test.js:21"],
    ],
    [
      "tap",
      "TAP",
      16,
      1,
      [
        "an item exactly at its level is due @ /home/u/inventory/test/reorder.test.js:20, /home/u/inventory/test/reorder.test.js:21",
      ],
    ],
    [
      "vitest",
      "Vitest",
      1,
      1,
      ["src/b.test.ts @ src/b.test.ts:, src/b.test.ts:1", "sum > adds @ src/a.test.ts:, src/a.test.ts:4"],
    ],
    [
      "jest",
      "Jest",
      1,
      1,
      [
        "sum › adds @ test/sum.test.js:, test/sum.test.js:5",
        "Test suite failed to run @ test/broken.test.js:, test/broken.test.js:1",
      ],
    ],
    ["mocha", "Mocha", 1, 1, ["sum › adds @ test/sum.js:5"]],
    ["pytest", "pytest", 3, 2, ["TestSum::test_adds @ tests/test_a.py:5", "test_p[x y] @ tests/test_a.py:12"]],
    ["pytest-collection", "pytest", 0, 1, ["tests/test_b.py @ tests/test_b.py:1"]],
    [
      "unittest",
      "unittest",
      1,
      2,
      ["test_breaks @ /home/u/ut/tests/test_level.py:12", "test_at_level @ /home/u/ut/tests/test_level.py:9"],
    ],
    [
      "go-test",
      "go test",
      undefined,
      undefined,
      [
        "TestIsDue @ level_test.go:8",
        "TestIsDue/zero @ level_test.go:14",
        "example.com/stock/report does not build @ report/report.go:7",
      ],
    ],
    ["cargo-test", "cargo test", 2, 1, ["tests::at_level @ src/lib.rs:16"]],
    ["cargo-compile", "cargo test", undefined, undefined, ["does not compile @ src/lib.rs:2"]],
  ])("%s", (name, runner, passed, failed, failures) => {
    expect(shape(name)).toEqual({ runner, passed, failed, failures });
  });
});

test.each([
  ["node-spec", "AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:"],
  ["tap", "Expected values to be strictly equal:"],
  ["pytest", "self = <test_a.TestSum object at 0x7f9090037f90>"],
  ["cargo-compile", "error[E0425]: cannot find value `levl` in this scope"],
])("what %s says of a failure", (name, first) => {
  expect(readTestOutput(recorded(name)).failures[0]?.message.split("\n")[0]).toBe(first);
});

test("colours do not matter", () => {
  const coloured = recorded("node-spec")
    .replaceAll("✖", "\u001b[31m✖\u001b[39m")
    .replaceAll("ℹ", "\u001b[34mℹ\u001b[39m");
  expect(readTestOutput(coloured).failures.length).toBe(1);
});

test("pytest that finds no test", () => {
  expect(readTestOutput("\nno tests ran in 0.01s\n")).toEqual({ runner: "pytest", passed: 0, failed: 0, failures: [] });
});

test("TAP: a parent of failing subtests and a failure that is expected are not named", () => {
  const output = [
    "TAP version 13",
    "    not ok 1 - child",
    "      ---",
    "      error: 'it is 41'",
    "      ...",
    "not ok 1 - parent",
    "  ---",
    "  failureType: 'subtestsFailed'",
    "  ...",
    "not ok 2 - later # TODO not built yet",
  ].join("\n");
  expect(readTestOutput(output).failures).toEqual([{ name: "child", places: [], message: "it is 41" }]);
});

test("of an unknown runner the telling line and its places are read", () => {
  const output = "checking\nall fine so far\nsrc/x.rb:12:in `sum': undefined method (NoMethodError)\n\tfrom a.rb:3\n";
  expect(readTestOutput(output)).toEqual({ runner: "unknown", failures: [] });
  expect(readError("one\ntwo\nfatal error in lib/a.rb:12: no\nthree").places).toEqual([{ file: "lib/a.rb", line: 12 }]);
});
