import { expect, test } from "vitest";
import { determinismFaults } from "./check-determinism.ts";
import { parseSource } from "./source-files.ts";

const faults = (path: string, text: string) => determinismFaults(parseSource(path, text));
const inCore = (text: string) => faults("rein/src/core/brain/decide.ts", text);

test.each([
  "const now = Date.now();",
  "const now = new Date();",
  "const now = performance.now();",
  "const now = process.hrtime.bigint();",
  "const luck = Math.random();",
  "setTimeout(go, 10);",
  "globalThis.setTimeout(go, 10);",
  "const later = { setTimeout };",
  "const home = process.env.HOME;",
  'import { readFileSync } from "node:fs";',
  'import * as fs from "fs";',
  'import { setTimeout as sleep } from "node:timers/promises";',
  'const fs = await import("node:fs/promises");',
  'import { spawn } from "node:child_process";',
  'import { randomUUID } from "node:crypto";',
  "const id = crypto.randomUUID();",
  'await fetch("http://127.0.0.1/");',
])("core may not say: %s", (text) => {
  expect(inCore(text)).toHaveLength(1);
});

test.each([
  "const at = new Date(event.at);",
  "clock.setTimeout(go, 10);",
  "interface Clock { setTimeout(run: () => void, ms: number): void }",
  "const clock = { setTimeout: arm };",
  'import type { Stats } from "node:fs";',
  'import { type Stats } from "node:fs";',
  'import { createHash } from "node:crypto";',
  'const text = "Date.now()"; // Math.random()',
])("core may say: %s", (text) => {
  expect(inCore(text)).toEqual([]);
});

test("an owner may use what it owns and nothing else", () => {
  expect(faults("rein/src/hands/plain.ts", 'import { spawn } from "node:child_process";')).toEqual([]);
  expect(faults("rein/src/hands/plain.ts", "\nconst luck = fetch;")).toEqual([
    "rein/src/hands/plain.ts:2: fetch (network) is not this place's: take it through a port of core/ports.ts.",
  ]);
  expect(faults("cli/src/main.ts", "const now = Date.now();")).toEqual([]);
});
