/**
 * Runs every example as a reader would, against the built library: `examples/*.ts` and `examples/<name>/main.ts`.
 * An example passes when it ends with 0 within a minute.
 */
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";

const examples = globSync(["examples/*.ts", "examples/*/main.ts"], { exclude: ["examples/inventory/**"] })
  .filter((path) => !path.endsWith(".test.ts"))
  .sort();

let failed = 0;
for (const path of examples) {
  const { status, signal, error } = spawnSync(process.execPath, [path], {
    stdio: ["ignore", "inherit", "inherit"],
    timeout: 60_000,
  });
  const passed = status === 0;
  if (!passed) failed += 1;
  console.log(
    `${passed ? "ok" : "FAILED"} ${path}${passed ? "" : ` (${error?.message ?? signal ?? `exit code ${status}`})`}`,
  );
}
console.log(`examples: ${examples.length - failed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;
