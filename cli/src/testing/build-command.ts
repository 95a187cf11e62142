/** Builds the command once for all tests of a run, as users get it: one file. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Folder of the command: `rein.js`, and what Node keeps of its compilation. */
    readonly command: string;
  }
}

const cli = fileURLToPath(new URL("../..", import.meta.url));
const modules = join(cli, "../node_modules");

/** Called by vitest before the first test of the project. What it returns is called after the last. */
export function setup({ provide }: TestProject): () => void {
  mkdirSync(join(modules, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(modules, ".cache/rein-cli-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const options = ["--out-dir", join(folder, "dist"), "--no-sourcemap", "--logLevel", "warn"];
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(modules, "tsdown/dist/run.mjs"), ...options], {
    cwd: cli,
    encoding: "utf8",
  });
  if (status !== 0) {
    remove();
    throw new Error(`The command could not be built:\n${stdout}${stderr}`);
  }
  provide("command", folder);
  return remove;
}
