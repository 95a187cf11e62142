import { expect, test } from "vitest";
import { findPath } from "./find-path.ts";
import { importedPaths } from "./imported-paths.ts";

const paths = new Set([
  "lib/src/a.js",
  "src/a.js",
  "level/level_test.go",
  "one/x.js",
  "two/x.js",
  "two/y.ts",
  "two/z/index.ts",
  "stock/level.py",
  "stock/__init__.py",
]);

test.each([
  ["src/a.js", "", "src/a.js"],
  ["./src/a.js", "", "src/a.js"],
  ["/home/u/repo/src/a.js", "", "src/a.js"],
  ["/home/u/repo/lib/src/a.js", "", "lib/src/a.js"],
  ["file:///home/u/repo/src/a.js", "", "src/a.js"],
  ["level_test.go", "", "level/level_test.go"],
  ["x.js", "", undefined],
  ["x.js", "two", "two/x.js"],
  ["../one/x.js", "two", "one/x.js"],
  ["src\\a.js", "", "src/a.js"],
  ["/usr/lib/other.js", "", undefined],
])("%s, printed in `%s`, is %s", (printed, folder, found) => {
  expect(findPath(printed, paths, folder)).toBe(found);
});

test("where nothing is listed, a relative path is taken at its word and no other", () => {
  expect(findPath("src/a.js", new Set())).toBe("src/a.js");
  expect(findPath("/etc/passwd", new Set())).toBe(undefined);
  expect(findPath("../x.js", new Set())).toBe(undefined);
});

test.each([
  [
    "two/t.test.ts",
    'import x from "./x.js";\nimport "../one/x.js"; const z = await import("./z");',
    ["two/x.js", "one/x.js", "two/z/index.ts"],
  ],
  [
    "two/t.test.ts",
    'import { y } from "./y.js"; require("./nothing"); import fs from "node:fs"; import "../../out.js"',
    ["two/y.ts"],
  ],
  [
    "tests/test_a.py",
    "import os\nfrom stock.level import is_due\nimport stock\n",
    ["stock/level.py", "stock/__init__.py"],
  ],
  ["a.go", 'import "./x.js"', []],
])("imports of %s", (path, text, found) => {
  expect(importedPaths(path, text, paths)).toEqual(found);
});
