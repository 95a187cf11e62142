import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const bin = fileURLToPath(new URL("../bin/rein.js", import.meta.url));

/** Runs the command on a Node that says it has this version. */
function runOn(version: string, ...args: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "rein-bin-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const preload = join(folder, "preload.cjs");
  writeFileSync(
    preload,
    `for (const [object, key, value] of [[process.versions, "node", "${version}"], [process, "version", "v${version}"]])
       Object.defineProperty(object, key, { value });`,
  );
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--require", preload, bin, ...args], {
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

test.each(["0.12.18", "20.20.2", "22.12.0"])("on Node %s it says in one line what to do", (version) => {
  expect(runOn(version, "run", "task")).toEqual({
    status: 2,
    stdout: "",
    stderr: `rein needs Node.js 22.13 or newer, and this is v${version}: install Node.js 24 (https://nodejs.org), or in a checkout of Rein run it as: npx rein\n`,
  });
});

test("it holds nothing that an old Node can't parse", () => {
  expect(readFileSync(bin, "utf8")).not.toMatch(/=>|\b(const|let|class|async|await|import)\b|[`?]|\.\.\.|,\s*[)]/);
});

test.each(["22.13.0", "24.0.0", "100.0.0"])("on Node %s it gives its version", (version) => {
  const own: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  expect(own).toMatchObject({ version: runOn(version, "--version").stdout.trim() });
});
