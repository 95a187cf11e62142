import { isJsonObject, own, parseJson } from "../../../core/json.ts";
import { clip } from "../clip.ts";
import { inlineCode } from "../markdown.ts";
import { baseName, depthOf, folderOf } from "./paths.ts";

/** A way to run the tests. */
export interface TestCommand {
  readonly command: string;
  /** Why this one: what was seen, as Markdown. */
  readonly because: string;
  /** Folder it runs in, empty for the top: paths that it prints may count from there. */
  readonly folder: string;
}

type Way = Omit<TestCommand, "folder">;

/** What is known of the folder when a command is looked for. */
export interface TestSigns {
  /** Paths of all files that are known. */
  readonly paths: ReadonlySet<string>;
  /** Text of a file that was read, or undefined. */
  readonly text: (path: string) => string | undefined;
}

/** Tells from one file how its folder is tested; undefined when it does not say. `folder` is empty for the top. */
type TestSign = (signs: TestSigns, path: string, folder: string) => Way | undefined;

/** Files that are looked at, by name, most telling first. `fallback` ones count only when nothing else in their folder says how it is tested. */
const SIGNS: readonly { readonly name: RegExp; readonly sign: TestSign; readonly fallback?: boolean }[] = [
  { name: /^package\.json$/, sign: packageScript },
  { name: /^deno\.jsonc?$/, sign: (_, path) => ({ command: "deno test", because: inlineCode(path) }) },
  { name: /^Cargo\.toml$/, sign: (_, path) => ({ command: "cargo test", because: inlineCode(path) }) },
  { name: /^go\.mod$/, sign: (_, path) => ({ command: "go test ./...", because: inlineCode(path) }) },
  { name: /^(?:pyproject\.toml|pytest\.ini|setup\.cfg|tox\.ini)$/, sign: pytestConfig },
  { name: /^mix\.exs$/, sign: (_, path) => ({ command: "mix test", because: inlineCode(path) }) },
  { name: /^pom\.xml$/, sign: (_, path) => ({ command: "mvn -q test", because: inlineCode(path) }) },
  { name: /^build\.gradle(?:\.kts)?$/, sign: gradle },
  { name: /\.(?:sln|csproj)$/, sign: (_, path) => ({ command: "dotnet test", because: inlineCode(path) }) },
  { name: /^(?:GNUm|M|m)akefile$/, sign: makeTarget, fallback: true },
  { name: /^(?:test_.*|.*_test)\.py$/, sign: pythonTests, fallback: true },
];

/** Names whose text must be read before {@link testCommands} can tell. */
const READ_FIRST =
  /^(?:package\.json|pyproject\.toml|pytest\.ini|setup\.cfg|tox\.ini|(?:GNUm|M|m)akefile|(?:test_.*|.*_test)\.py)$/;

/** Deepest folder, counted from the top, in which signs are looked for. */
const MOST_DEPTH = 3;
const MOST_READ = 8;
const MOST_COMMANDS = 3;
/** UTF-16 units shown of a script. */
const MOST_SCRIPT = 160;

/** The files to read before one can tell how the folder is tested: those nearest to the top, and one Python test. */
export function filesThatTell(paths: Iterable<string>): readonly string[] {
  const found = [...paths].filter((path) => READ_FIRST.test(baseName(path)) && depthOf(path) <= MOST_DEPTH);
  const nearest = found.sort((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1));
  const firstPython = nearest.find((path) => path.endsWith(".py"));
  return nearest.filter((path) => !path.endsWith(".py") || path === firstPython).slice(0, MOST_READ);
}

/** How the folder is tested, at most three ways: what the top says, else what the folders below it say. */
export function testCommands(signs: TestSigns): readonly TestCommand[] {
  const byFolder = new Map<string, readonly Way[]>();
  for (const { name, sign, fallback = false } of SIGNS) {
    for (const path of signs.paths) {
      if (!name.test(baseName(path)) || depthOf(path) > MOST_DEPTH) continue;
      // Python's tests lie in a folder of their own and are run from the top.
      const folder = path.endsWith(".py") ? "" : folderOf(path);
      const found = sign(signs, path, folder);
      if (found === undefined) continue;
      const before = byFolder.get(folder) ?? [];
      if (fallback && before.length > 0) continue;
      if (before.some(({ command }) => command === found.command)) continue;
      byFolder.set(folder, [...before, found]);
    }
  }
  const top = byFolder.get("") ?? [];
  if (top.length > 0) return top.slice(0, MOST_COMMANDS).map((way) => ({ ...way, folder: "" }));
  const below = [...byFolder].sort(([a], [b]) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1));
  return below
    .flatMap(([folder, ways]) => ways.slice(0, 1).map((way) => inFolder(folder, way)))
    .slice(0, MOST_COMMANDS);
}

function inFolder(folder: string, { command, because }: Way): TestCommand {
  return { command: `cd ${shellWord(folder)} && ${command}`, because, folder };
}

function packageScript({ paths, text }: TestSigns, path: string, folder: string): Way | undefined {
  const parsed = parseJson(text(path) ?? "", path);
  const scripts = parsed.ok && isJsonObject(parsed.value) ? own(parsed.value, "scripts") : undefined;
  const script = isJsonObject(scripts) ? own(scripts, "test") : undefined;
  // What `npm init` writes where there are no tests.
  if (typeof script !== "string" || script.trim() === "" || /no test specified/.test(script)) return undefined;
  const has = (name: string): boolean => paths.has(folder === "" ? name : `${folder}/${name}`);
  const runner = has("pnpm-lock.yaml")
    ? "pnpm"
    : has("yarn.lock")
      ? "yarn"
      : has("bun.lock") || has("bun.lockb")
        ? "bun run"
        : "npm";
  return {
    command: `${runner} test`,
    because: `script \`test\` in ${inlineCode(path)}: ${inlineCode(clip(script, MOST_SCRIPT))}`,
  };
}

function pytestConfig({ text }: TestSigns, path: string): Way | undefined {
  if (path.endsWith("pytest.ini") || /\bpytest\b/.test(text(path) ?? "")) {
    return { command: "python3 -m pytest -q", because: `${inlineCode(path)} names pytest` };
  }
  return undefined;
}

function gradle({ paths }: TestSigns, path: string, folder: string): Way {
  const wrapped = paths.has(folder === "" ? "gradlew" : `${folder}/gradlew`);
  return { command: wrapped ? "./gradlew test" : "gradle test", because: inlineCode(path) };
}

function makeTarget({ text }: TestSigns, path: string): Way | undefined {
  const target = /^(?<name>test|tests|check)\s*:(?!=)/m.exec(text(path) ?? "")?.groups?.name;
  return target === undefined
    ? undefined
    : { command: `make ${target}`, because: `target \`${target}\` in ${inlineCode(path)}` };
}

function pythonTests({ paths, text }: TestSigns, path: string): Way | undefined {
  const code = text(path);
  if (code === undefined) return undefined;
  const plain = /^\s*(?:import unittest|from unittest\b)/m.test(code) && !/\bpytest\b/.test(code);
  return plain
    ? {
        command: `python3 -m unittest discover${discoverFrom(paths, path)}`,
        because: `${inlineCode(path)} uses unittest`,
      }
    : { command: "python3 -m pytest -q", because: inlineCode(path) };
}

/** `discover` looks only into the folder it is given; tests that are a package are imported from the top. */
function discoverFrom(paths: ReadonlySet<string>, path: string): string {
  const folder = folderOf(path);
  const start = folder === "" ? "" : ` -s ${shellWord(folder)}`;
  const top = paths.has(`${folder}/__init__.py`) ? " -t ." : "";
  const pattern = baseName(path).startsWith("test_") ? "" : " -p '*_test.py'";
  return `${start}${top}${pattern}`;
}

/** A word of a command line, quoted where it must be. */
function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
