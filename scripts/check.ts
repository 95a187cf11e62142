/** Runs every script of package.json that is called `check:…`, in their order, all of them even when one fails. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
const checks = Object.keys(scripts).filter((name) => name.startsWith("check:"));

const failed = checks.filter((name) => {
  console.log(`\n── ${name}`);
  return spawnSync("npm", ["run", "--silent", name], { stdio: "inherit" }).status !== 0;
});

console.log(
  `\nchecks: ${checks.length - failed.length} passed, ${failed.length} failed${failed.map((name) => ` ${name}`)}`,
);
if (failed.length > 0 || checks.length === 0) process.exitCode = 1;
