import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const door = new URL("./index.ts", import.meta.url).href;
const script = `
import { registerHooks } from "node:module";
const packages = new Set();
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const name = /\\/node_modules\\/([^/]+)\\//.exec(resolved.url)?.[1];
    if (name !== undefined) packages.add(name);
    return resolved;
  },
});
const { loadTools } = await import(${JSON.stringify(door)});
console.log([...packages].sort().join(" "));
const { builtinTools } = await loadTools();
console.log([...packages].sort().join(" "));
await builtinTools[0].prepare({ command: "ls" });
console.log([...packages].sort().join(" "));
`;

test("the door loads no package, the built-in tools no schema library before the first arguments are checked", () => {
  const cwd = fileURLToPath(new URL(".", import.meta.url));
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd, encoding: "utf8" });
  expect(output).toBe("\nignore picomatch\nignore picomatch zod\n");
});
