import { isJsonObject, own, parseJson } from "../../../core/json.ts";
import { baseName, depthOf, folderOf } from "./paths.ts";

/** A way to run the tests. */
export interface TestCommand {
  readonly command: string;
  /** Why this one: what was seen. */
  readonly because: string;
}

/** What is known of the folder when a command is looked for. */
export interface TestSigns {
  /** Paths of all files that are known. */
  readonly paths: ReadonlySet<string>;
  /** Text of a file that was read, or undefined. */
  readonly text: (path: string) => string | undefined;
}

/** Tells from one file how its folder is tested; undefined when it does not say. `folder` is empty for the top. */
type TestSign = (signs: TestSigns, path: string, folder: string) => TestCommand | undefined;

/** Files that are looked at, by name, most telling first. `fallback` ones count only when nothing else in their folder says how it is tested. */
const SIGNS: readonly { readonly name: RegExp; readonly sign: TestSign; readonly fallback?: boolean }[] = [
  { name: /^package\.json$/, sign: packageScript },
  { name: /^deno\.jsonc?$/, sign: (_, path) => ({ command: "deno test", because: `\`${path}\`` }) },
  { name: /^Cargo\.toml$/, sign: (_, path) => ({ command: "cargo test", because: `\`${path}\`` }) },
  { name: /^go\.mod$/, sign: (_, path) => ({ command: "go test ./...", because: `\`${path}\`` }) },
  { name: /^(?:pyproject\.toml|pytest\.ini|setup\.cfg|tox\.ini)$/, sign: pytestConfig },
  { name: /^mix\.exs$/, sign: (_, path) => ({ command: "mix test", because: `\`${path}\`` }) },
  { name: /^pom\.xml$/, sign: (_, path) => ({ command: "mvn -q test", because: `\`${path}\`` }) },
  { name: /^build\.gradle(?:\.kts)?$/, sign: gradle },
  { name: /\.(?:sln|csproj)$/, sign: (_, path) => ({ command: "dotnet test", because: `\`${path}\`` }) },
  { name: /^(?:GNUm|M|m)akefile$/, sign: makeTarget, fallback: true },
  { name: /^(?:test_.*|.*_test)\.py$/, sign: pythonTests, fallback: true },
];

/** Names whose text must be read before {@link testCommands} can tell. */
const READ_FIRST = /^(?:package\.json|pyproject\.toml|pytest\.ini|setup\.cfg|tox\.ini|(?:GNUm|M|m)akefile|(?:test_.*|.*_test)\.py)$/;

/** Deepest folder, counted from the top, in which signs are looked for. */
const MOST_DEPTH = 3;
const MOST_READ = 8;
const MOST_COMMANDS = 3;

/** The files to read before one can tell how the folder is tested: those nearest to the top, and one Python test. */
export function filesThatTell(paths: Iterable<string>): readonly string[] {
  const found = [...paths].filter((path) => READ_FIRST.test(baseName(path)) && depthOf(path) <= MOST_DEPTH);
  const nearest = found.sort((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1));
  const firstPython = nearest.find((path) => path.endsWith(".py"));
  return nearest.filter((path) => !path.endsWith(".py") || path === firstPython).slice(0, MOST_READ);
}

/** How the folder is tested, at most three ways: what the top says, else what the folders below it say. */
export function testCommands(signs: TestSigns): readonly TestCommand[] {
  const byFolder = new Map<string, { readonly found: TestCommand; readonly fallback: boolean }[]>();
  for (const { name, sign, fallback = false } of SIGNS) {
    for (const path of signs.paths) {
      if (!name.test(baseName(path)) || depthOf(path) > MOST_DEPTH) continue;
      // Python's tests lie in a folder of their own and are run from the top.
      const folder = path.endsWith(".py") ? "" : folderOf(path);
      const found = sign(signs, path, folder);
      if (found === undefined) continue;
      const before = byFolder.get(folder) ?? [];
      if (fallback && before.length > 0) continue;
      if (before.some((one) => one.found.command === found.command)) continue;
      byFolder.set(folder, [...before, { found, fallback }]);
    }
  }
  const top = byFolder.get("") ?? [];
  if (top.length > 0) return top.slice(0, MOST_COMMANDS).map(({ found }) => found);
  const below = [...byFolder].sort(([a], [b]) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1));
  return below
    .flatMap(([folder, ways]) => ways.slice(0, 1).map(({ found }) => inFolder(folder, found)))
    .slice(0, MOST_COMMANDS);
}

function inFolder(folder: string, { command, because }: TestCommand): TestCommand {
  return { command: `cd '${folder.replaceAll("'", "'\\''")}' && ${command}`, because };
}

function packageScript({ paths, text }: TestSigns, path: string, folder: string): TestCommand | undefined {
  const parsed = parseJson(text(path) ?? "", path);
  const scripts = parsed.ok && isJsonObject(parsed.value) ? own(parsed.value, "scripts") : undefined;
  const script = isJsonObject(scripts) ? own(scripts, "test") : undefined;
  // What `npm init` writes where there are no tests.
  if (typeof script !== "string" || script.trim() === "" || /no test specified/.test(script)) return undefined;
  const has = (name: string): boolean => paths.has(folder === "" ? name : `${folder}/${name}`);
  const runner = has("pnpm-lock.yaml") ? "pnpm" : has("yarn.lock") ? "yarn" : has("bun.lock") || has("bun.lockb") ? "bun run" : "npm";
  return { command: `${runner} test`, because: `script \`test\` in \`${path}\`: \`${script}\`` };
}

function pytestConfig({ text }: TestSigns, path: string): TestCommand | undefined {
  if (path.endsWith("pytest.ini") || /\bpytest\b/.test(text(path) ?? "")) {
    return { command: "python3 -m pytest -q", because: `\`${path}\` names pytest` };
  }
  return undefined;
}

function gradle({ paths }: TestSigns, path: string, folder: string): TestCommand {
  const wrapped = paths.has(folder === "" ? "gradlew" : `${folder}/gradlew`);
  return { command: wrapped ? "./gradlew test" : "gradle test", because: `\`${path}\`` };
}

function makeTarget({ text }: TestSigns, path: string): TestCommand | undefined {
  const target = /^(?<name>test|tests|check)\s*:(?!=)/m.exec(text(path) ?? "")?.groups?.name;
  return target === undefined ? undefined : { command: `make ${target}`, because: `target \`${target}\` in \`${path}\`` };
}

function pythonTests({ text }: TestSigns, path: string): TestCommand | undefined {
  const code = text(path);
  if (code === undefined) return undefined;
  const plain = /^\s*(?:import unittest|from unittest\b)/m.test(code) && !/\bpytest\b/.test(code);
  return plain
    ? { command: `python3 -m unittest discover${discoverFrom(path)}`, because: `\`${path}\` uses unittest` }
    : { command: "python3 -m pytest -q", because: `\`${path}\`` };
}

/** Without a package, `discover` finds tests only in the folder it is given. */
function discoverFrom(path: string): string {
  const pattern = /^test_/.test(baseName(path)) ? "" : ` -p '*_test.py'`;
  const folder = folderOf(path);
  return `${folder === "" ? "" : ` -s '${folder.replaceAll("'", "'\\''")}'`}${pattern}`;
}
