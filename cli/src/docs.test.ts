import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ERROR_CODES, type ErrorCode } from "rein";
import { expect, onTestFinished, test } from "vitest";
import { exitCodeOfError } from "./exit-code.ts";

const document = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const codes = Object.keys(ERROR_CODES).filter((code): code is ErrorCode => Object.hasOwn(ERROR_CODES, code));

test("docs/errors.md has a section for each error code, and for nothing else", () => {
  const sections = [...document("docs/errors.md").matchAll(/^## (.+)$/gm)].map(([, code]) => code);
  expect(sections.toSorted()).toEqual(codes.toSorted());
});

test.each(codes)("docs/errors.md says of %s its class, its exit code and what to do", (code) => {
  const section = document("docs/errors.md").split(`\n## ${code}\n`)[1]?.split("\n## ")[0] ?? "";
  const [head, , text] = section.split("\n");
  expect(head).toBe(`*${ERROR_CODES[code]} · exit code ${exitCodeOfError(code)}*`);
  expect(text?.length).toBeGreaterThan(40);
});

test("the README begins with the two commands that a stranger needs", () => {
  const blocks = [...document("README.md").matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block]) => block);
  expect(blocks.slice(0, 2)).toEqual([
    'npm ci && npx rein run "Examine this folder and write a report" --cwd examples/inventory --allow "Bash(npm test)" --allow "Write(report/**)"\n',
    "npm ci && npm test\n",
  ]);
});

const root = fileURLToPath(new URL("../..", import.meta.url));

test("each example of README.md and docs/library.md runs", () => {
  // Below the workspace, so that `rein` is found; as JavaScript, because types are not stripped there.
  const folder = join(root, `node_modules/.cache/rein-docs-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  onTestFinished(() => rmSync(folder, { recursive: true }));
  // The examples work on a copy of their folder.
  cpSync(join(root, "examples/inventory"), join(folder, "examples/inventory"), { recursive: true });
  const examples = ["README.md", "docs/library.md"].flatMap((path) =>
    [...document(path).matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code ?? ""),
  );
  expect(examples.length).toBe(11);
  const files = examples.map((code, index) => {
    const file = join(folder, `example-${index}.mjs`);
    writeFileSync(file, stripTypeScriptTypes(code));
    return file;
  });
  const script = `for (const file of ${JSON.stringify(files)}) { await import(file); console.log("ran", file); }`;
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    ["--conditions=rein-source", "--input-type=module", "-e", script],
    { cwd: folder, encoding: "utf8" },
  );
  expect(existsSync(join(folder, "examples/inventory/report/README.md"))).toBe(true);
  expect(stderr).toBe("");
  expect(status).toBe(0);
  expect(files.filter((file) => !stdout.includes(`ran ${file}`))).toEqual([]);
});

test("the files that the README links to are there", () => {
  const links = [...document("README.md").matchAll(/\]\(([^)#:]+)[^)]*\)/g)].map(([, path]) => path ?? "");
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test("each default that a comment cites stands in docs/architecture.md, and each section", () => {
  const architecture = document("docs/architecture.md");
  const { stdout } = spawnSync("grep", ["-rn", "docs/architecture\\.md", "rein/src", "cli/src", "--include=*.ts"], {
    cwd: root,
    encoding: "utf8",
  });
  const cites = stdout.split("\n").filter((line) => line !== "" && !line.includes(".test.ts:"));
  expect(cites.length).toBeGreaterThan(10);
  const unknown = cites.filter((line) => {
    const name = /Source: `([^`]+)`, docs\/architecture\.md/.exec(line)?.[1];
    const section = /\*([A-Z][\w ]+)\*/.exec(line)?.[1];
    const isRow = name !== undefined && architecture.includes(`\n| ${name} | `);
    const isSection =
      section !== undefined &&
      (architecture.includes(`\n## ${section}\n`) || architecture.includes(`\n**${section}.** `));
    return !isRow && !isSection;
  });
  expect(unknown).toEqual([]);
});

test("the packages are released together, under the version that the changelog begins with", () => {
  const versionIn = (path: string): unknown => JSON.parse(document(path)).version;
  const newest = /^## (\d+\.\d+\.\d+)/m.exec(document("CHANGELOG.md"))?.[1];
  expect([versionIn("rein/package.json"), versionIn("cli/package.json")]).toEqual([newest, newest]);
});
