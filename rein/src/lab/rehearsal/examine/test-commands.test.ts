import { expect, test } from "vitest";
import { filesThatTell, testCommands } from "./test-commands.ts";

const script = (test: string): string => JSON.stringify({ scripts: { test } });
const NONE = script('echo "Error: no test specified" && exit 1');
const UNITTEST = "import unittest\n";

test.each<[string, Record<string, string>, readonly string[]]>([
  ["nothing", {}, []],
  ["npm", { "package.json": script("node --test") }, ["npm test"]],
  ["pnpm", { "package.json": script("x"), "pnpm-lock.yaml": "" }, ["pnpm test"]],
  ["yarn", { "package.json": script("x"), "yarn.lock": "" }, ["yarn test"]],
  ["bun", { "package.json": script("x"), "bun.lock": "" }, ["bun run test"]],
  ["the script of npm init", { "package.json": NONE }, []],
  ["a package.json that is no JSON", { "package.json": "{" }, []],
  ["a package.json of odd types", { "package.json": '{"scripts":{"test":7}}' }, []],
  ["npm, not the Makefile around it", { "package.json": script("x"), Makefile: "test:\n" }, ["npm test"]],
  ["make", { Makefile: "build:\n\ttrue\ncheck: build\n" }, ["make check"]],
  ["a Makefile without tests", { Makefile: "TEST := 1\ntest := 2\nall:\n" }, []],
  [
    "pytest by its settings",
    { "pyproject.toml": "[tool.pytest.ini_options]\n", "tests/test_a.py": "" },
    ["python3 -m pytest -q"],
  ],
  ["pytest by a test", { "test_a.py": "def test_a(): pass\n" }, ["python3 -m pytest -q"]],
  ["unittest", { "tests/test_a.py": UNITTEST }, ["python3 -m unittest discover -s tests"]],
  [
    "unittest in a package",
    { "t/__init__.py": "", "t/a_test.py": UNITTEST },
    ["python3 -m unittest discover -s t -t . -p '*_test.py'"],
  ],
  ["several languages", { "go.mod": "", "Cargo.toml": "" }, ["cargo test", "go test ./..."]],
  ["gradle with its wrapper", { "build.gradle.kts": "", gradlew: "" }, ["./gradlew test"]],
  [
    "folders below",
    { "a/go.mod": "", "b c/go.mod": "", "it's/go.mod": "", "z/go.mod": "" },
    ["cd a && go test ./...", "cd 'b c' && go test ./...", "cd 'it'\\''s' && go test ./..."],
  ],
  ["too deep", { "a/b/c/d/go.mod": "" }, []],
  ["names of the prototype", { constructor: "", "package.json": '{"__proto__":{"scripts":{"test":"x"}}}' }, []],
])("%s", (_, files, commands) => {
  const signs = {
    paths: new Set(Object.keys(files)),
    text: (path: string) => (Object.hasOwn(files, path) ? files[path] : undefined),
  };
  expect(testCommands(signs).map(({ command }) => command)).toEqual(commands);
});

test("the files that tell: those nearest to the top, and one Python test", () => {
  expect(
    filesThatTell([
      "z/y/package.json",
      "src/a.js",
      "tests/test_b.py",
      "tests/test_a.py",
      "package.json",
      "a/b/c/d/package.json",
      "Makefile",
    ]),
  ).toEqual(["Makefile", "package.json", "tests/test_a.py", "z/y/package.json"]);
});
