import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "rein";
import { expect, test } from "vitest";
import { requestFaults } from "../shared/request-faults.ts";
import { resultsOf, Scene, type ToolCall } from "./scene.ts";

const SECRET = "nobody may see this";

/** A workspace with ways out of it. */
function scene(): Scene {
  const made = new Scene();
  writeFileSync(join(made.outside, "secret.txt"), SECRET);
  writeFileSync(join(made.work, "a.txt"), "a\n");
  symlinkSync(made.outside, join(made.work, "way-out"));
  symlinkSync(join(made.outside, "secret.txt"), join(made.work, "link.txt"));
  symlinkSync(join(made.outside, "new.txt"), join(made.work, "dangling.txt"));
  return made;
}

/** Rules that allow all of the workspace, so that what stops a call is not their absence. */
const ALLOW = ["Read", "Write"];

test("no path leads out of the workspace", async () => {
  const made = scene();
  const ways = [
    "../outside/secret.txt",
    "way-out/secret.txt",
    "link.txt",
    join(made.outside, "secret.txt"),
    "a.txt/../../outside/secret.txt",
  ];
  const calls: ToolCall[] = [
    ...ways.map((path) => ({ name: "read", input: { path } })),
    ...[...ways, "dangling.txt", "way-out/new.txt", "../new.txt"].map((path) => ({
      name: "write",
      input: { path, content: "mine" },
    })),
    { name: "list", input: { path: ".." } },
    { name: "list", input: { path: "way-out" } },
    { name: "search", input: { pattern: "nobody", path: ".." } },
    { name: "search", input: { pattern: "nobody", path: "way-out" } },
  ];
  const results = await made.results(calls, { allow: ALLOW });
  expect(results.map(({ end }) => end)).toEqual(calls.map(() => "denied"));
  expect(JSON.stringify(results)).not.toContain(SECRET);
  expect(readdirSync(made.outside)).toEqual(["secret.txt"]);
  expect(readFileSync(join(made.outside, "secret.txt"), "utf8")).toBe(SECRET);
  expect(readdirSync(made.folder).sort()).toEqual(expect.arrayContaining(["outside", "sessions.db", "work"]));
  expect(existsSync(join(made.folder, "new.txt"))).toBe(false);
});

test("a walk of the workspace does not follow a link out of it", async () => {
  const results = await scene().results([
    { name: "list", input: { path: "." } },
    { name: "search", input: { pattern: "nobody may", path: "." } },
  ]);
  expect(results.map(({ end }) => end)).toEqual(["ok", "ok"]);
  expect(JSON.stringify(results)).not.toContain(SECRET);
});

test("names of the language itself are names like any other", async () => {
  const polluted: JsonObject = JSON.parse(
    '{"path":"a.txt","__proto__":{"to":1},"constructor":{"prototype":{"polluted":true}}}',
  );
  const results = await scene().results([
    { name: "read", input: polluted },
    { name: "__proto__", input: {} },
    { name: "constructor", input: {} },
    { name: "toString", input: {} },
    { name: "read", input: { path: "__proto__" } },
    { name: "read", input: { path: "constructor" } },
  ]);
  expect(results.map(({ end }) => end)).toEqual([
    "denied",
    "denied",
    "denied",
    "denied",
    "path_unusable",
    "path_unusable",
  ]);
  expect(results[0]?.text).toContain("tool_arguments_invalid");
  expect(results[1]?.text).toContain("tool_unknown");
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
});

test("file names that look like options are file names", async () => {
  const made = scene();
  const names = ["-rf", "--help", "-"];
  const results = await made.results(
    [
      ...names.map((path) => ({ name: "write", input: { path, content: "kept\n" } })),
      ...names.map((path) => ({ name: "read", input: { path } })),
      { name: "search", input: { pattern: "--kept", path: "-rf" } },
      { name: "search", input: { pattern: "kept", path: "." } },
    ],
    { allow: ALLOW },
  );
  expect(results.map(({ end }) => end)).toEqual(results.map(() => "ok"));
  for (const name of names) expect(readFileSync(join(made.work, name), "utf8")).toBe("kept\n");
  expect(results[3]?.text).toContain("kept");
  expect(results[7]?.text).toContain("-rf");
});

test("a command that looks like an option of the shell is a command", async () => {
  const made = scene();
  const bin = join(made.work, "-x");
  mkdirSync(bin);
  const results = await made.results(
    [
      { name: "shell", input: { command: "-rf" } },
      { name: "shell", input: { command: "--version" } },
    ],
    { allow: ["Bash"] },
  );
  expect(results.map(({ end }) => end)).toEqual(["ok", "ok"]);
  for (const { text } of results) expect(text).toMatch(/^exit code 127\n.*not found/s);
});

test("control characters, NUL bytes and sizes beyond reason are told, and do no harm", async () => {
  const made = scene();
  const results = await made.results(
    [
      { name: "read", input: { path: "a\0.txt" } },
      { name: "write", input: { path: "b\0.txt", content: "x" } },
      { name: "shell", input: { command: "echo \0" } },
      { name: "read", input: { path: "x".repeat(1_000_000) } },
      { name: "write", input: { path: `${"d/".repeat(5_000)}x`, content: "x" } },
      { name: "read", input: { path: "no\u001b[31m\u0007\nsuch" } },
      { name: "read", input: { path: "" } },
      { name: "read", input: { path: 7 } },
      { name: "read", input: { path: "a.txt", from: -1 } },
      { name: "read", input: { path: "a.txt", from: 1e308 } },
    ],
    { allow: [...ALLOW, "Bash"] },
  );
  expect(results.filter(({ end }) => end === "ok")).toEqual([]);
  for (const { text } of results) {
    // Whole sentences, not too long, and nothing that a terminal would obey.
    expect(text.length).toBeLessThan(3_000);
    expect(text).not.toMatch(/[^\P{Cc}\n\t]/u);
  }
  expect(readdirSync(made.work).sort()).toEqual(["a.txt", "dangling.txt", "link.txt", "way-out"]);
});

test("a pattern that is none is searched for as text, and said to be none", async () => {
  const [result] = await scene().results([{ name: "search", input: { pattern: "(".repeat(10_000), path: "." } }]);
  expect(result).toEqual({
    end: "ok",
    text: "No match (1 file searched).\n[The pattern is no regular expression; it was searched for as plain text.]",
  });
});

test("8 MB of arguments are written, and the log goes on", async () => {
  const made = scene();
  const content = "0123456789".repeat(800_000);
  const { result, model } = await made.run(
    [{ calls: [{ name: "write", input: { path: "big.txt", content } }] }, { text: "Done." }],
    {
      allow: ALLOW,
    },
  );
  expect(result.reason).toBe("done");
  expect(resultsOf(model)).toMatchObject([{ end: "ok", text: expect.stringContaining("8000000 bytes") }]);
  expect(readFileSync(join(made.work, "big.txt"), "utf8")).toBe(content);
  const again = await made.run([{ text: "Still here." }]);
  expect(again.result.text).toBe("Still here.");
  expect(again.model.requests.flatMap(requestFaults)).toEqual([]);
});
