import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { CallEffect } from "../core/session/index.ts";
import { resolvePath } from "../hands/index.ts";
import { suggestRules } from "./suggest-rules.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "rein-suggest-")));
const folder = join(root, "work");
mkdirSync(folder);
mkdirSync(join(root, "outside"));
writeFileSync(join(root, "outside/real.md"), "");
symlinkSync(join(root, "outside"), join(folder, "linked"));
symlinkSync("../outside/real.md", join(folder, "link.md"));
symlinkSync("../outside/not-yet.md", join(folder, "dangling.md"));
symlinkSync(folder, join(root, "door"));
afterAll(() => rmSync(root, { recursive: true }));

const rulesFor = (effects: readonly CallEffect[], tool = "my_tool", workspace = folder) =>
  suggestRules({ tool, effects, folder: workspace }, { resolvePath, home: dirname(root) });
const write = (name: string) => rulesFor([{ kind: "write", path: join(folder, name) }]);

test("the narrowest rule for each effect", async () => {
  expect(await rulesFor([{ kind: "execute", command: "npm test", cwd: folder }])).toEqual(["Bash(npm test)"]);
  expect(await write("a/b.md")).toEqual(["Write(a/b.md)"]);
  expect(await rulesFor([{ kind: "read", path: "/etc/hostname" }])).toEqual(["Read(//etc/hostname)"]);
  expect(await rulesFor([{ kind: "read-tree", path: "/usr/lib/ssl-none" }])).toEqual(["Read(//usr/lib/ssl-none/**)"]);
  expect(await rulesFor([{ kind: "read-tree", path: "/" }])).toEqual(["Read(//**)"]);
  expect(await rulesFor([{ kind: "state", what: "notes" }])).toEqual(["my_tool"]);
});

test("what needs no rule gets none, and a call with several effects gets a rule for each", async () => {
  const read: CallEffect = { kind: "read", path: join(folder, "a") };
  const to: CallEffect = { kind: "write", path: join(folder, "b") };
  const run: CallEffect = { kind: "execute", command: "make", cwd: folder };
  expect(await rulesFor([read, to, run])).toEqual(["Write(b)", "Bash(make)"]);
});

test("a path through a link gets a rule for where it leads", async () => {
  expect(await write("link.md")).toEqual([`Write(/${root}/outside/real.md)`]);
  expect(await write("linked/new.md")).toEqual([`Write(/${root}/outside/new.md)`]);
  expect(await write("dangling.md")).toEqual([`Write(/${root}/outside/not-yet.md)`]);
  expect(await rulesFor([{ kind: "write", path: join(root, "door/a.md") }], "t", join(root, "door"))).toEqual([
    "Write(a.md)",
  ]);
});

test.each([
  ["a*b.md", "Write(a[*]b.md)"],
  ["what?.md", "Write(what[?].md)"],
  ["a (copy).md", "Write(a [(]copy[)].md)"],
  ["{a,b}.md", "Write([{]a,b[}].md)"],
  ["two  spaces .md", "Write(two  spaces .md)"],
  [`it's "quoted".md`, `Write(it's "quoted".md)`],
  ["-rf", "Write(-rf)"],
  [".env", "Write(.env)"],
  ["报告/résumé.md", "Write(报告/résumé.md)"],
  ["~notes.md", `Write(/${folder}/~notes.md)`],
  ["!wow.md", `Write(/${folder}/!wow.md)`],
])("the odd name %j gets a rule for exactly it", async (name, rule) => {
  expect(await write(name)).toEqual([rule]);
});

test.each(["line\nbreak.md", "back\\slash.md", "bell\u0007.md"])(
  "the name %j gets none: no rule can hold it",
  async (name) => {
    expect(await write(name)).toEqual([]);
  },
);

test("what no rule names exactly gets none", async () => {
  const run = (command: string, cwd = folder) => rulesFor([{ kind: "execute", command, cwd }]);
  expect(await run("ls *")).toEqual([]);
  expect(await run("npm test", root)).toEqual([]);
  expect(await run(`echo ${"x".repeat(3_000)}`)).toEqual([]);
  expect(await rulesFor([{ kind: "execute-argv", argv: ["ls"], cwd: folder }], "shell")).toEqual([]);
  expect(await rulesFor([{ kind: "execute", command: "printf 'a  b'\necho", cwd: folder }])).toEqual([
    "Bash(printf 'a  b'\necho)",
  ]);
});

test("a call that touches nothing is named by its tool", async () => {
  expect(await rulesFor([], "save_note")).toEqual(["save_note"]);
  expect(await rulesFor([{ kind: "state", what: "notes" }], "save_note")).toEqual(["save_note"]);
  expect(await rulesFor([], "Bash")).toEqual([]);
});
