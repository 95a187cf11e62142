import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { tool, unwrap } from "rein";
import { openSqliteStore } from "rein/store";
import { expect, test } from "vitest";
import { resultsOf, Scene } from "./scene.ts";

const SIZE = 50_000_000;
/** Bytes of a result that the model may be shown. Source: docs/architecture.md. */
const SHOWN = 32 * 1024;

const flood = tool({
  name: "flood",
  description: "Gives 50 MB.",
  access: "public",
  input: { type: "object" },
  effects: () => [],
  readOnly: () => true,
  run: () => `the first line\n${"0123456789abcde\n".repeat(SIZE / 16)}the last line`,
});

test("50 MB of a tool's own: head, tail and size for the model, a part for the store, and the session goes on", async () => {
  const made = new Scene();
  const { result, model } = await made.run([{ calls: [{ name: "flood" }] }, { text: "Done." }], { tools: [flood] });
  expect(result.reason).toBe("done");
  const [{ end, text } = { end: "", text: "" }] = resultsOf(model);
  expect(end).toBe("ok");
  expect(text).toMatch(/^the first line\n/);
  expect(text).toMatch(/the last line$/);
  expect(text).toContain(`The result has ${SIZE + 28} bytes`);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(SHOWN);

  const { events } = await made.log();
  expect(events.find(({ type }) => type === "tool.finished")?.data.originalBytes).toBe(SIZE + 28);
  const blob = /kept as blob ([0-9a-f]{64})/.exec(text)?.[1] ?? "";
  const store = unwrap(await openSqliteStore({ path: made.path, readOnly: true }));
  const kept = unwrap(await store.blob(blob));
  expect(kept?.length).toBeLessThanOrEqual(1_048_576);
  expect(kept?.length).toBeGreaterThan(1_000_000);
  expect(unwrap(await store.verify()).findings).toEqual([]);
  unwrap(await store.close());
  expect((await made.run([{ text: "Still here." }])).result.text).toBe("Still here.");
});

test("50 MB of a command and of a file are cut with a word on it", async () => {
  const made = new Scene();
  const file = openSync(join(made.work, "big.txt"), "w");
  for (let line = 0; line < 500; line += 1) writeSync(file, `${"x".repeat(99_999)}\n`);
  closeSync(file);
  const [command, read, search] = await made.results(
    [
      { name: "shell", input: { command: "head -c 50000000 /dev/zero | tr '\\0' y" } },
      { name: "read", input: { path: "big.txt" } },
      { name: "search", input: { pattern: "xyz", path: "." } },
    ],
    { allow: ["Bash"] },
  );
  expect(command?.end).toBe("ok");
  expect(command?.text).toContain("exit code 0");
  expect(read?.end).toBe("ok");
  expect(read?.text).toContain("The file has 50000000 bytes; only the first 10485760 can be read");
  expect(search?.end).toBe("ok");
  for (const { text = "" } of [command, read, search].filter((end) => end !== undefined)) {
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(SHOWN);
  }
});
