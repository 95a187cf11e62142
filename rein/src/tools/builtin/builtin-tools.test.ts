import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ok, ReinFailure } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { createPermitOffice } from "../../core/permit.ts";
import type { CallContext, CallResult, Clock, PendingCall, ToolProgress, Tools } from "../../core/ports.ts";
import type { SessionSettings } from "../../core/session/index.ts";
import { createGuard, createRedact } from "../../guard/index.ts";
import { createPlainHands, resolvePath } from "../../hands/index.ts";
import { createTools } from "../pipeline.ts";

let folder = "";
let tools: Tools;

const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  id: () => `id${readdirSync(folder).length}`,
  random: () => 0.5,
  // The promise of a stopped wait rejects; the port's never does.
  sleep: (ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined),
};

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "rein-builtin-")));
  const office = createPermitOffice();
  const host = { host: "test", bootId: "boot", pidNamespace: "ns" };
  const made = createTools({
    guard: createGuard({ office, resolvePath, home: "/nowhere" }),
    hands: createPlainHands({ office, clock, env: process.env, host }),
    redact: createRedact({ env: {} }),
    clock,
  });
  if (!made.ok) throw new ReinFailure(made.error);
  tools = made.value;
});
afterEach(() => rmSync(folder, { recursive: true }));

function files(contents: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(contents)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

function callOf(name: string, input: JsonObject): PendingCall {
  const settings: SessionSettings = {
    models: ["m"],
    folder,
    rules: { allow: ["Bash", "Write"], deny: [] },
    limits: {},
    durability: "memory",
    ask: "wait",
    linear: false,
  };
  return { session: "s1", call: "7.0", name, input, settings, offered: tools.schemas.map((schema) => schema.name) };
}

async function run(name: string, input: JsonObject, progress: ToolProgress[] = []): Promise<CallResult> {
  const context: CallContext = {
    signal: new AbortController().signal,
    announce: async () => ok(undefined),
    progress: (part) => progress.push(part),
  };
  const call = callOf(name, input);
  const judgement = await tools.judge(call);
  if (judgement.decision !== "allow") throw new Error(judgement.reason);
  return tools.execute(call, judgement, null, context);
}

async function textOf(name: string, input: JsonObject): Promise<string> {
  const result = await run(name, input);
  return result.content.map((block) => (block.type === "text" ? block.text : `<${block.type}>`)).join("\n");
}

describe("shell", () => {
  test("exit code first, then what it wrote", async () => {
    expect(await textOf("shell", { command: "echo hello; pwd" })).toBe(`exit code 0\nhello\n${folder}`);
    expect(await textOf("shell", { command: "true" })).toBe("exit code 0\n(no output)");
    expect(await textOf("shell", { command: "echo out; echo err >&2" })).toBe(
      "exit code 0\nout\n[standard error]\nerr",
    );
  });

  test("an exit code other than 0 is a normal result", async () => {
    const result = await run("shell", { command: "echo no match; exit 3" });
    expect(result).toMatchObject({ outcome: "ok", content: [{ type: "text", text: "exit code 3\nno match" }] });
    expect(result).not.toHaveProperty("errorType");
    expect(await textOf("shell", { command: "kill -9 $$" })).toBe("ended by signal SIGKILL\n(no output)");
  });

  test("out of time: a failure that says so, with what it wrote until then", async () => {
    const result = await run("shell", { command: "echo begun; sleep 60", timeout: 0.3 });
    expect(result).toMatchObject({
      outcome: "error",
      errorType: "tool_timeout",
      content: [
        {
          text: `shell failed (tool_timeout): The command did not end within 0.3 s and was ended. What it wrote until then follows.
What to try: Check what it has already done, then give a longer \`timeout\` or run less at a time.`,
        },
        { text: "begun" },
      ],
    });
  });

  test("live output", async () => {
    const progress: ToolProgress[] = [];
    await run("shell", { command: "echo one; echo two >&2" }, progress);
    expect(progress).toContainEqual({ kind: "output", stream: "stdout", text: "one\n" });
    expect(progress).toContainEqual({ kind: "output", stream: "stderr", text: "two\n" });
  });

  test("far too much output: cut, and it says how much there was", async () => {
    const result = await run("shell", { command: "head -c 5000000 /dev/zero | tr '\\0' 'x'" });
    const text = result.content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
    expect(text.length).toBeLessThan(20_000);
    expect(text.endsWith("[standard output had 5000000 bytes; its middle was left out.]")).toBe(true);
  });

  test("odd bytes come out as text", async () => {
    const text = await textOf("shell", { command: "printf 'a\\000b\\377c'" });
    expect(text).toBe("exit code 0\na\u2400b\ufffdc\n[Not valid text as it came: 1 NUL shown as \u2400.]");
  });

  test("hostile arguments", async () => {
    for (const input of [
      { command: "" },
      { command: "x", timeout: 0 },
      { command: "x", timeout: 1e9 },
      { command: 1 },
      {},
    ]) {
      expect(await tools.judge(callOf("shell", input))).toMatchObject({
        decision: "deny",
        policy: "tool_arguments_invalid",
      });
    }
    expect(await run("shell", { command: "echo a\0b" })).toMatchObject({ outcome: "error" });
  });

  test("is not read-only and is never run again", async () => {
    expect(await tools.judge(callOf("shell", { command: "ls" }))).toMatchObject({
      effects: [{ kind: "execute", command: "ls", cwd: folder }],
      readOnly: false,
      recover: "never",
      accesses: [{ resource: "*", write: true }],
    });
  });
});

describe("read", () => {
  test("lines with their numbers", async () => {
    files({ "a.txt": "one\ntwo\n\nfour\n" });
    expect(await textOf("read", { path: "a.txt" })).toBe("     1\tone\n     2\ttwo\n     3\t\n     4\tfour");
    expect(await textOf("read", { path: join(folder, "a.txt"), from: 2, to: 3 })).toBe("     2\ttwo\n     3\t");
    expect(await textOf("read", { path: "a.txt", from: 4, to: 99 })).toBe("     4\tfour");
  });

  test("a range that is none", async () => {
    files({ "a.txt": "one\ntwo" });
    expect(
      await textOf("read", { path: "a.txt", from: 3 }),
    ).toBe(`read failed (tool_arguments_invalid): a.txt has 2 lines; there is no line 3.
What to try: Give a \`from\` of at most 2.`);
    expect(await textOf("read", { path: "a.txt", from: 2, to: 1 })).toContain("Line 1 comes before line 2.");
  });

  test("a long file comes in pages that join without a gap", async () => {
    const lines = Array.from({ length: 3_000 }, (_, index) => `this is line ${index + 1}`);
    files({ "long.txt": `${lines.join("\n")}\n` });
    const seen: string[] = [];
    for (let from: number | undefined = 1; from !== undefined; ) {
      const result = await run("read", { path: "long.txt", from });
      expect(result).not.toHaveProperty("originalBytes");
      const [block] = result.content;
      const page: string = block?.type === "text" ? block.text : "";
      seen.push(
        ...page
          .split("\n")
          .filter((line) => !line.startsWith("["))
          .map((line) => line.split("\t")[1] ?? ""),
      );
      const next: string | undefined = /go on with from: (\d+)\.\]$/.exec(page)?.[1];
      from = next === undefined ? undefined : Number(next);
    }
    expect(seen).toEqual(lines);
  });

  test("a long line is cut, and says how long it is", async () => {
    files({ "min.js": `${"x".repeat(1_999)}\u{1f600}${"y".repeat(3_000)}` });
    expect(await textOf("read", { path: "min.js" })).toBe(
      `     1\t${"x".repeat(1_999)}… [the line has 5001 characters]`,
    );
  });

  test("what is said beside the text", async () => {
    files({ "bad.txt": new Uint8Array([0x61, 0xff, 0x0a, 0x62]), "dos.txt": "\ufeffone\r\ntwo\r\n", "empty.txt": "" });
    expect(await textOf("read", { path: "bad.txt" })).toBe(
      "     1\ta\ufffd\n     2\tb\n[Some bytes are not valid UTF-8; they are shown as \ufffd.]",
    );
    expect(await textOf("read", { path: "dos.txt" })).toBe(
      "     1\tone\n     2\ttwo\n[Lines end with CR LF; the CR is not shown.]",
    );
    expect(await textOf("read", { path: "empty.txt" })).toBe("empty.txt is empty.");
  });

  test("binary files are refused, and so is an empty picture (C-070)", async () => {
    const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    files({
      "a.png": png,
      "a.bin": new Uint8Array([1, 0, 2]),
      "utf16.txt": new Uint8Array([0xff, 0xfe, 0x61, 0]),
      "empty.png": "",
    });
    expect(await textOf("read", { path: "a.png" })).toContain(
      "a.png holds a PNG image (8 bytes), not text that can be shown.",
    );
    expect(await textOf("read", { path: "a.bin" })).toContain("a.bin holds binary data (3 bytes)");
    expect(await textOf("read", { path: "utf16.txt" })).toContain("utf16.txt holds UTF-16 text (4 bytes)");
    expect(await run("read", { path: "empty.png" })).toMatchObject({
      outcome: "error",
      content: [
        {
          text: "read failed (tool_failed): empty.png is a picture of 0 bytes.\nWhat to try: Make the file again, or use another.",
        },
      ],
    });
  });

  test("a huge file: its first part, and how large it is", async () => {
    files({ "huge.txt": "line\n".repeat(3_000_000) });
    expect(await textOf("read", { path: "huge.txt", to: 1 })).toBe(
      "     1\tline\n[The file has 15000000 bytes; only the first 10485760 can be read with this tool.]",
    );
  });

  test("what is not there or is no file", async () => {
    mkdirSync(join(folder, "sub"));
    symlinkSync("loop", join(folder, "loop"));
    expect(await run("read", { path: "nothing" })).toMatchObject({ outcome: "error", errorType: "path_unusable" });
    expect(await run("read", { path: "sub" })).toMatchObject({ outcome: "error", errorType: "path_unusable" });
    for (const path of ["loop", "a\0b", "x".repeat(5_000)]) {
      const { decision, reason } = await tools.judge(callOf("read", { path }));
      expect(decision).toBe("deny");
      expect(reason.length).toBeLessThan(600);
    }
  });

  test("outside of the workspace it asks", async () => {
    expect(await tools.judge(callOf("read", { path: "../other" }))).toMatchObject({ decision: "ask" });
    symlinkSync("/etc", join(folder, "link"));
    expect(await tools.judge(callOf("read", { path: "link/hostname" }))).toMatchObject({ decision: "ask" });
  });
});

describe("write", () => {
  test("makes the file and the folders above it, and replaces it whole", async () => {
    expect(await textOf("write", { path: "a/b/c.txt", content: "one\ntwo\n" })).toBe(
      "Wrote 8 bytes (2 lines) to a/b/c.txt.",
    );
    expect(readFileSync(join(folder, "a/b/c.txt"), "utf8")).toBe("one\ntwo\n");
    expect(await textOf("write", { path: "a/b/c.txt", content: "é" })).toBe("Wrote 2 bytes (1 line) to a/b/c.txt.");
    expect(readFileSync(join(folder, "a/b/c.txt"), "utf8")).toBe("é");
    expect(await textOf("write", { path: "empty", content: "" })).toBe("Wrote 0 bytes (0 lines) to empty.");
  });

  test("text that no file can hold is refused and nothing is written", async () => {
    expect(await run("write", { path: "a.txt", content: "a\ud800" })).toMatchObject({
      outcome: "error",
      errorType: "tool_arguments_invalid",
    });
    expect(existsSync(join(folder, "a.txt"))).toBe(false);
  });

  test("a folder is not overwritten", async () => {
    mkdirSync(join(folder, "sub"));
    expect(await run("write", { path: "sub", content: "x" })).toMatchObject({ outcome: "error" });
  });

  test("is never run again", async () => {
    expect(await tools.judge(callOf("write", { path: "a", content: "" }))).toMatchObject({
      effects: [{ kind: "write", path: join(folder, "a") }],
      readOnly: false,
      recover: "never",
      accesses: [{ resource: `path:${join(folder, "a")}`, write: true }],
    });
  });
});

describe("list", () => {
  test("names, kinds and sizes, two levels deep", async () => {
    files({
      "b.txt": "12345",
      "src/a.ts": "1",
      "src/deep/x/y.ts": "",
      "node_modules/p/index.js": "x",
      ".git/HEAD": "x",
    });
    symlinkSync("b.txt", join(folder, "link"));
    expect(await textOf("list", {})).toBe(`The workspace, up to 2 levels:
b.txt  5
link  (link, not followed)
node_modules/
src/
src/a.ts  1
src/deep/`);
    expect(await textOf("list", { path: "src", depth: 3 })).toBe(
      "src, up to 3 levels:\na.ts  1\ndeep/\ndeep/x/\ndeep/x/y.ts  0",
    );
    expect(await textOf("list", { depth: 1 })).toBe(`The workspace, up to 1 level:
b.txt  5
link  (link, not followed)
node_modules/
src/`);
  });

  test("ignore files count where they lie and below, inner ones more than outer ones", async () => {
    files({
      ".gitignore": "*.log\n/dist/\nsecret\n",
      "a.log": "",
      "dist/out.js": "",
      "src/.gitignore": "!keep.log\ngenerated/\n",
      "src/keep.log": "",
      "src/other.log": "",
      "src/generated/x.ts": "",
      "src/dist/y.ts": "",
      "+page/z.log": "",
      "+page/z.ts": "",
      "lib/generated/w.ts": "",
      "lib/secret/k": "",
    });
    expect(await textOf("list", { depth: 5 })).toBe(`The workspace, up to 5 levels:
+page/
+page/z.ts  0
.gitignore  20
lib/
lib/generated/
lib/generated/w.ts  0
src/
src/.gitignore  21
src/dist/
src/dist/y.ts  0
src/keep.log  0
[6 entries are left out by .gitignore.]`);
  });

  test("ignore files above the listed folder count, unless the folder itself is ignored", async () => {
    files({ ".gitignore": "*.log\nbuild/\n", "src/a.log": "", "src/a.ts": "", "build/x.log": "", "build/y": "" });
    expect(await textOf("list", { path: "src" })).toBe(
      "src, up to 2 levels:\na.ts  0\n[1 entry is left out by .gitignore.]",
    );
    expect(await textOf("list", { path: "build" })).toBe("build, up to 2 levels:\nx.log  0\ny  0");
  });

  test("nothing, and what is no folder", async () => {
    mkdirSync(join(folder, "sub"));
    files({ "a.txt": "" });
    expect(await textOf("list", { path: "sub" })).toBe("sub, up to 2 levels:\n(nothing)");
    expect(await run("list", { path: "a.txt" })).toMatchObject({ outcome: "error", errorType: "path_unusable" });
    expect(await run("list", { path: "nowhere" })).toMatchObject({ outcome: "error", errorType: "path_unusable" });
  });

  test("many entries: bounded, and it says how many are left out", async () => {
    mkdirSync(join(folder, "many"));
    for (let index = 0; index < 620; index += 1)
      writeFileSync(join(folder, "many", `f${String(index).padStart(4, "0")}`), "");
    const lines = (await textOf("list", { path: "many" })).split("\n");
    expect(lines).toHaveLength(502);
    expect(lines[1]).toBe("f0000  0");
    expect(lines.at(-1)).toBe("[120 more entries are left out; list a folder further down, or use a smaller depth.]");
  });

  test("a name cannot add lines", async () => {
    files({ "a\n[0 entries]": "x" });
    expect(await textOf("list", {})).toBe('The workspace, up to 2 levels:\n"a\\n[0 entries]"  1');
    expect(await textOf("search", { pattern: "x" })).toContain('\n"a\\n[0 entries]":1: x');
  });

  test("a loop of links ends", async () => {
    mkdirSync(join(folder, "a"));
    symlinkSync("..", join(folder, "a", "up"));
    expect(await textOf("list", { depth: 20 })).toBe("The workspace, up to 20 levels:\na/\na/up  (link, not followed)");
  });
});

describe("search", () => {
  test("path, line and text of each line that matches", async () => {
    files({
      "a.ts": "const one = 1;\nlet two = 2;\n",
      "src/b.ts": "// one\r\n",
      "src/c.md": "one",
      bin: new Uint8Array([0x6f, 0x6e, 0x65, 0]),
    });
    expect(await textOf("search", { pattern: "\\bone\\b" })).toBe(`3 matching lines in 3 files (3 files searched).
a.ts:1: const one = 1;
src/b.ts:1: // one
src/c.md:1: one`);
    expect(
      await textOf("search", { pattern: "one", glob: "*.ts" }),
    ).toBe(`2 matching lines in 2 files (2 files searched).
a.ts:1: const one = 1;
src/b.ts:1: // one`);
    expect(await textOf("search", { pattern: "one", path: "src", glob: "*.{md,txt}" })).toBe(
      "1 matching line in 1 file (1 file searched).\nsrc/c.md:1: one",
    );
    expect(await textOf("search", { pattern: "(?i)ONE", path: "a.ts" })).toBe(
      "1 matching line in 1 file (1 file searched).\na.ts:1: const one = 1;",
    );
    expect(await textOf("search", { pattern: "^$" })).toBe("No match (3 files searched).");
  });

  test("leaves out what ignore files leave out, and node_modules", async () => {
    files({
      ".gitignore": "out/\n",
      "out/a.txt": "needle",
      "node_modules/p/a.txt": "needle",
      ".git/a.txt": "needle",
      "a.txt": "needle",
    });
    expect(await textOf("search", { pattern: "needle" })).toBe(
      "1 matching line in 1 file (2 files searched).\na.txt:1: needle",
    );
  });

  test("a pattern that is no regular expression is searched for as it is", async () => {
    files({ "a.txt": "f(x\nfx" });
    expect(await textOf("search", { pattern: "f(x" })).toBe(`1 matching line in 1 file (1 file searched).
a.txt:1: f(x
[The pattern is no regular expression; it was searched for as plain text.]`);
  });

  test("a pattern that would backtrack for ever is stopped, and the others are still searched", async () => {
    files({ "a.txt": `${"a".repeat(50)}!`, "b.txt": "aaa" });
    expect(await textOf("search", { pattern: "^(a+)+$" })).toBe(`1 matching line in 1 file (2 files searched).
b.txt:1: aaa
[The pattern took too long on a.txt; use a simpler one, without nested repeats.]`);
  });

  test("many matches: bounded and counted; a long line is shown around its match", async () => {
    files({ "many.txt": "hit\n".repeat(1_000), "wide.txt": `${"x".repeat(5_000)}needle${"y".repeat(5_000)}` });
    const lines = (await textOf("search", { pattern: "hit" })).split("\n");
    expect(lines).toHaveLength(202);
    expect(lines.at(-1)).toBe("[800 more matches are left out; narrow the pattern, path or glob.]");
    const wide = await textOf("search", { pattern: "needle" });
    expect(wide).toContain(`wide.txt:1: …${"x".repeat(80)}needle${"y".repeat(214)}…`);
  });

  test("a file that cannot be read is named", async () => {
    files({ "a.txt": "needle", "closed.txt": "needle" });
    chmodSync(join(folder, "closed.txt"), 0o000);
    const text = await textOf("search", { pattern: "needle" });
    // Root reads what is closed.
    if (process.getuid?.() === 0) expect(text).toContain("2 matching lines");
    else expect(text).toContain("[Could not be read: closed.txt");
  });

  test("what is not there", async () => {
    expect(await run("search", { pattern: "x", path: "nowhere" })).toMatchObject({
      outcome: "error",
      errorType: "path_unusable",
    });
  });

  test("may run beside other reads, not beside a write below it", async () => {
    const judgement = await tools.judge(callOf("search", { pattern: "x", path: "src" }));
    expect(judgement).toMatchObject({ decision: "allow", readOnly: true, recover: "rerun" });
    expect(judgement.accesses).toContainEqual({ resource: `path:${join(folder, "src")}`, write: false });
  });
});
