/**
 * The examination over real folders: the model, the real tools with gate and hands, and a loop of a few lines in place of the
 * brain.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ok, unwrap } from "../../core/errors.ts";
import { callKey, type Message, type ToolResultBlock, type ToolUseBlock, textOf } from "../../core/message/message.ts";
import { createPermitOffice } from "../../core/permit.ts";
import type { Clock, Model, ModelRequest, ModelStreamPart, PendingCall, Tools } from "../../core/ports.ts";
import type { SessionSettings } from "../../core/session/kernel-events.ts";
import { createGuard, createRedact } from "../../guard/index.ts";
import { createPlainHands, resolvePath } from "../../hands/index.ts";
import { loadTools } from "../../tools/index.ts";
import { createRehearsalModel, INTRODUCTION } from "./create-rehearsal-model.ts";

const MOST_TURNS = 16;
const INVENTORY = fileURLToPath(new URL("../../../../examples/inventory", import.meta.url));
const TASK = "Examine this folder and write a report";

let base = "";
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "rein-rehearsal-"));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

// ── the world ────────────────────────────────────────────────────────────────────────────────────────────────────────

const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: async (ms, signal) => {
    await sleep(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
  },
  id: () => crypto.randomUUID().replaceAll("-", ""),
  random: () => Math.random(),
};

const { createTools } = await loadTools();

function realTools(): Tools {
  const office = createPermitOffice();
  const env = { PATH: process.env.PATH, HOME: base };
  return unwrap(
    createTools({
      clock,
      redact: createRedact({ env: {} }),
      guard: createGuard({ office, resolvePath, home: base }),
      hands: createPlainHands({ office, clock, env, host: { host: "test", bootId: "test", pidNamespace: "test" } }),
    }),
  );
}

/** Puts a result in the place of a call that is not carried out; undefined lets it run. `attempt` counts equal calls from 1. */
type Alter = (call: ToolUseBlock, attempt: number) => Omit<ToolResultBlock, "type" | "id"> | undefined;

interface Trip {
  readonly folder: string;
  readonly task?: string;
  readonly allow?: readonly string[];
  readonly offered?: readonly string[];
  readonly alter?: Alter;
  /** Where to begin; default the task alone. */
  readonly messages?: readonly Message[];
}

interface Arrival {
  readonly messages: readonly Message[];
  readonly turns: number;
  /** Texts of the last message. */
  readonly last: string;
  readonly calls: readonly string[];
}

const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const failed = (errorType: string, text = errorType): ReturnType<Alter> => ({
  content: [{ type: "text", text }],
  isError: true,
  errorType,
});

function requestOf(messages: readonly Message[], tools: ModelRequest["tools"]): ModelRequest {
  return { model: "rehearsal", system: "", tools, messages, trace: { session: "s", turn: 1, attempt: 1 } };
}

/** The last part; on the way it is checked that the deltas join to the content. */
async function answer(model: Model, request: ModelRequest): Promise<Extract<ModelStreamPart, { type: "done" }>> {
  const joined: string[] = [];
  for await (const part of model.stream(request, new AbortController().signal)) {
    if (part.type === "block_start") joined[part.index] = "";
    else if (part.type === "text_delta") joined[part.index] += part.text;
    else if (part.type === "input_delta") joined[part.index] += part.json;
    else if (part.type === "done") {
      expect(joined).toEqual(
        part.content.map((block) =>
          block.type === "text" ? block.text : block.type === "tool_use" ? JSON.stringify(block.input) : "",
        ),
      );
      return part;
    }
  }
  throw new Error("The stream ended without `done`.");
}

async function drive(trip: Trip): Promise<Arrival> {
  const tools = realTools();
  const schemas = tools.schemas.filter(({ name }) => trip.offered?.includes(name) ?? true);
  const model = createRehearsalModel();
  const messages: Message[] = [...(trip.messages ?? [user(trip.task ?? TASK)])];
  const calls: string[] = [];
  for (let turns = 1; turns <= MOST_TURNS; turns += 1) {
    const request = requestOf(messages.slice(), schemas);
    const said = await answer(model, request);
    expect(JSON.stringify(await answer(model, request))).toBe(JSON.stringify(said));
    messages.push({ role: "assistant", content: said.content });
    if (said.stop === "end") return { messages, turns, last: textOf(said.content), calls };
    const results: ToolResultBlock[] = [];
    for (const block of said.content) {
      if (block.type !== "tool_use") continue;
      const key = JSON.stringify([block.name, block.input]);
      calls.push(key);
      const attempt = calls.filter((call) => call === key).length;
      const altered = trip.alter?.(block, attempt) ?? (await carryOut(tools, block, trip));
      results.push({ type: "tool_result", id: block.id, ...altered });
    }
    messages.push({ role: "tool", content: results });
  }
  throw new Error(`Not at an end after ${MOST_TURNS} turns: ${calls.join("\n")}`);
}

async function carryOut(tools: Tools, block: ToolUseBlock, trip: Trip): Promise<NonNullable<ReturnType<Alter>>> {
  const settings: SessionSettings = {
    models: ["rehearsal"],
    folder: trip.folder,
    rules: { allow: trip.allow ?? [], deny: [] },
    limits: {},
    durability: "memory",
    ask: "deny",
    linear: false,
  };
  const offered = tools.schemas.map(({ name }) => name);
  const call: PendingCall = {
    session: "s",
    call: callKey(1, 0),
    name: block.name,
    input: block.input,
    settings,
    offered,
  };
  const judgement = await tools.judge(call);
  if (judgement.decision !== "allow") {
    return { content: [{ type: "text", text: judgement.reason }], isError: true, errorType: "denied" };
  }
  const signal = new AbortController().signal;
  const result = await tools.execute(call, judgement, null, {
    signal,
    announce: async () => ok(undefined),
    progress: () => undefined,
  });
  if (result.outcome === "ok") return { content: result.content, isError: false };
  return { content: result.content, isError: true, errorType: result.errorType ?? result.outcome };
}

let made = 0;
function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  made += 1;
  const folder = join(base, `folder-${made}`);
  mkdirSync(folder);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

function inventory(): string {
  made += 1;
  const folder = join(base, `inventory-${made}`);
  cpSync(INVENTORY, folder, { recursive: true, filter: (path) => !path.endsWith("/report") });
  return folder;
}

let recordedRun: ReturnType<Alter>;

/** Gives `npm test` in the inventory the result of its real run, which is made once. */
async function recorded(): Promise<Alter> {
  if (recordedRun === undefined) {
    const { messages } = await drive({ folder: inventory(), allow: ["Bash(npm test)"] });
    const blocks = messages.flatMap(({ content }) => content);
    const call = blocks.find((block) => block.type === "tool_use" && block.name === "shell");
    const result = blocks.find(
      (block) => block.type === "tool_result" && call?.type === "tool_use" && block.id === call.id,
    );
    if (result?.type === "tool_result") recordedRun = { content: result.content, isError: result.isError };
    expect(textOf(recordedRun?.content ?? [])).toContain("fail 1");
  }
  return ({ name }) => (name === "shell" ? recordedRun : undefined);
}

const writeRule = "Write(report/**)";
const reportIn = (folder: string, path = "report/README.md"): string => readFileSync(join(folder, path), "utf8");

// ── kinds of folder ──────────────────────────────────────────────────────────────────────────────────────────────────

describe("the inventory example", () => {
  test("its tests are run, the failing one is found and read, and the report says all of it", async () => {
    const folder = inventory();
    const { last, messages, turns } = await drive({ folder, allow: ["Bash(npm test)", writeRule] });
    expect(textOf(messages[1]?.content ?? []).startsWith(INTRODUCTION)).toBe(true);
    expect(last).toContain("The report is in `report/README.md`.");
    expect(last).toContain("16 passed, 1 failed");
    expect(last).toContain("Failing: an item exactly at its level is due.");
    expect(turns).toBe(7);

    const report = reportIn(folder);
    expect(report).toContain("rule-based and no language model");
    expect(report).toContain("21 files in 5 folders");
    expect(report).toMatch(/\| JavaScript \| 10 \| [\d.]+ kB \|/);
    expect(report).toContain("- `npm test`, because of script `test` in `package.json`: `node --test`");
    expect(report).toContain("**Failed** (exit code 1; 16 passed, 1 failed).");
    expect(report).toContain("**`an item exactly at its level is due`** in `test/reorder.test.js:21`");
    expect(report).toContain(">   21 |   assert.equal(isDue(item(10, 10)), true);");
    expect(report).toContain("The failing line names `isDue`, defined in `src/reorder.js:2`:");
    expect(report).toContain("return item.reorderLevel > 0 && item.quantity < item.reorderLevel;");
    expect(report).toContain("5 lines:");
    expect(report).toContain("- `src/item.js:18` `// FIXME: a negative quantity");
    expect(report).toContain("1 file of 100.0 kB or more.");
    expect(report).toMatch(/\| `data\/items\.csv` \| 198\.8 kB \|/);
    expect(report).toContain("Nothing was denied, and nothing was left undone.");
  });

  test("without any rule: what was denied stands in the report, which comes as text", async () => {
    const folder = inventory();
    const { last } = await drive({ folder });
    expect(existsSync(join(folder, "report"))).toBe(false);
    expect(last).toContain("I could not write `report/README.md` (denied), so here is the report itself.");
    expect(last).toContain("# What was seen in this folder");
    expect(last).toContain("Not run: this was **denied**.");
    expect(last).toContain("- `shell npm test`: **denied**.");
    expect(last).toContain("- `write report/README.md`: **denied**.");
    expect(last).toContain("2 calls were denied.");
  });

  test("an earlier report is no part of what is seen: the second one is the same", async () => {
    const folder = inventory();
    rmSync(join(folder, ".gitignore"));
    const allow = ["Bash(npm test)", writeRule];
    const alter = await recorded();
    await drive({ folder, allow, alter });
    const first = reportIn(folder);
    await drive({ folder, allow, alter });
    expect(withoutTimes(reportIn(folder))).toBe(
      withoutTimes(first).replace("20 files in 5 folders", "20 files in 6 folders"),
    );
  });

  test("the report goes where the task says", async () => {
    const folder = inventory();
    const task = "Examine this repository and write the report to docs/seen.md, please.";
    const { last } = await drive({ folder, task, allow: ["Write(docs/**)"] });
    expect(last).toContain("The report is in `docs/seen.md`.");
    expect(reportIn(folder, "docs/seen.md")).toContain("# What was seen in this folder");
  });

  test.each(["shell", "list", "search", "read", "write"])("without the tool `%s`", async (missing) => {
    const folder = inventory();
    const offered = ["shell", "read", "write", "list", "search"].filter((tool) => tool !== missing);
    const { last, calls } = await drive({
      folder,
      offered,
      allow: ["Bash(npm test)", writeRule],
      alter: await recorded(),
    });
    const report = missing === "write" ? last : reportIn(folder);
    expect(report).toContain(`- The tool \`${missing}\` was not offered: `);
    expect(calls.filter((call) => call.startsWith(`["${missing}"`))).toEqual([]);
    if (missing === "list") expect(report).toContain("**Failed** (exit code 1; 16 passed, 1 failed).");
    if (missing === "read") expect(report).toContain("Nothing was found that says how this folder is tested.");
  });
});

function withoutTimes(report: string): string {
  return report.replace(/[\d.]+ms/g, "");
}

describe("other folders", () => {
  test("an empty folder", async () => {
    const folder = folderWith({});
    const { last, turns } = await drive({ folder, allow: [writeRule] });
    expect(last).toBe(
      "The report is in `report/README.md`.\n\nThe folder is empty. I found nothing that says how it is tested. 0 lines with open marks.",
    );
    expect(turns).toBe(3);
    expect(reportIn(folder)).toContain("There are no files in this folder.");
  });

  test("notes without any tests", async () => {
    const folder = folderWith({ "a.md": "# Notes\n\nTODO: more\n", "b.txt": "plain\n" });
    await drive({ folder, allow: [writeRule] });
    expect(reportIn(folder)).toContain("Nothing was found that says how this folder is tested.");
    expect(reportIn(folder)).toContain("- `a.md:3` `TODO: more`");
  });

  test("Python with unittest", async () => {
    const folder = folderWith({
      "stock/__init__.py": "",
      "stock/level.py": "def is_due(quantity, level):\n    return quantity < level\n",
      "tests/__init__.py": "",
      "tests/test_level.py": [
        "import unittest",
        "from stock.level import is_due",
        "",
        "",
        "class LevelTest(unittest.TestCase):",
        "    def test_below(self):",
        "        self.assertTrue(is_due(1, 2))",
        "",
        "    def test_at_level(self):",
        "        self.assertTrue(is_due(2, 2))",
        "",
      ].join("\n"),
    });
    const command = "python3 -m unittest discover -s tests -t .";
    await drive({ folder, allow: [`Bash(${command})`, writeRule] });
    const report = reportIn(folder);
    expect(report).toContain("**Failed** (exit code 1; 1 passed, 1 failed).");
    expect(report).toContain("**`test_at_level`** in `tests/test_level.py:10`");
    expect(report).toContain("The failing line names `is_due`, defined in `stock/level.py:1`:");
  });

  test("a Makefile and a script that breaks", async () => {
    const folder = folderWith({
      Makefile: "all:\n\techo all\n\ntest:\n\t@sh ./check.sh\n",
      "check.sh": "echo checking\necho 'check.sh:3: error: the answer is 41' >&2\nexit 3\n",
    });
    await drive({ folder, allow: ["Bash(make test)", writeRule] });
    const report = reportIn(folder);
    expect(report).toContain("- `make test`, because of target `test` in `Makefile`");
    expect(report).toContain("**Failed** (exit code 2).");
    expect(report).toContain("check.sh:3: error: the answer is 41");
    expect(report).toContain(">    3 | exit 3");
  });

  test("a program that is not installed", async () => {
    const folder = folderWith({
      "package.json": JSON.stringify({ scripts: { test: "surely-not-installed-runner run" } }),
    });
    await drive({ folder, allow: ["Bash(npm test)", writeRule] });
    expect(reportIn(folder)).toContain(
      "**Failed** (exit code 127). The program was not found; dependencies may not be installed.",
    );
  });

  test("a test file that does not load", async () => {
    const folder = folderWith({
      "package.json": JSON.stringify({ type: "module", scripts: { test: "node --test" } }),
      "src/sum.js": "export const sum = (a, b) => a +;\n",
      "test/sum.test.js":
        'import { test } from "node:test";\nimport { sum } from "../src/sum.js";\ntest("sum", () => sum(1, 2));\n',
    });
    await drive({ folder, allow: ["Bash(npm test)", writeRule] });
    const report = reportIn(folder);
    expect(report).toContain("0 passed, 1 failed");
    expect(report).toContain("SyntaxError: Unexpected token ';'");
  });

  test("packages below the top, in folders with blanks, quotes and Chinese names", async () => {
    const pack = (body: string): Record<string, string> => ({
      "package.json": JSON.stringify({ type: "module", scripts: { test: "node --test" } }),
      "good.test.js": `import { test } from "node:test";\ntest("好", () => { ${body} });\n`,
    });
    const files: Record<string, string> = { "说明.md": "TODO：翻译\n" };
    for (const [path, content] of Object.entries(pack(""))) files[`it's a package/${path}`] = content;
    for (const [path, content] of Object.entries(pack("throw new Error('坏')"))) files[`库存/${path}`] = content;
    const folder = folderWith(files);
    const allow = ["Bash(cd 'it'\\''s a package' && npm test)", "Bash(cd '库存' && npm test)", writeRule];
    const { last } = await drive({ folder, task: "请检查这个目录并写报告", allow });
    const report = reportIn(folder);
    expect(report).toContain(
      "### `cd 'it'\\''s a package' && npm test`\n\n**Passed** (exit code 0; 1 passed, 0 failed).",
    );
    expect(report).toContain("### `cd '库存' && npm test`\n\n**Failed** (exit code 1; 0 passed, 1 failed).");
    expect(report).toContain("**`好`** in `库存/good.test.js:2`");
    expect(report).toContain("- `说明.md:1` `TODO：翻译`");
    expect(last).toContain("Failing: 好.");
  });

  test("binary files, and names that would break a report", async () => {
    const folder = folderWith({
      "picture.png": new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]),
      "noise.bin": new Uint8Array(120_000),
      "a|b`c.txt": "TODO | `x`\n",
      "blank name  7": "x",
      "package.json": new Uint8Array([0, 1, 2]),
    });
    await drive({ folder, allow: [writeRule] });
    const report = reportIn(folder);
    expect(report).toContain("5 files in 0 folders, 120.0 kB in all.");
    expect(report).toContain("| ``a\\|b`c.txt`` | 11 B |");
    expect(report).toContain("- ``a|b`c.txt:1`` `` TODO | `x` ``");
    expect(report).toContain("- `read package.json`: failed.");
    expect(report).toContain("Nothing was found that says how this folder is tested.");
  });

  test("a folder whose listing does not fit into one result", async () => {
    const files: Record<string, string> = { "package.json": JSON.stringify({ scripts: { test: "true" } }) };
    for (let index = 0; index < 620; index += 1) files[`${index % 2 === 0 ? "even" : "odd"}/file-${index}.txt`] = "x";
    const folder = folderWith(files);
    await drive({ folder, allow: ["Bash(npm test)", writeRule] });
    const report = reportIn(folder);
    expect(report).toContain("621 files in 2 folders");
    expect(report).toContain("**Passed** (exit code 0).");
    expect(report).not.toContain("The listing was cut");
  });

  test("a folder that is too large even in parts", async () => {
    const files: Record<string, string> = { "package.json": JSON.stringify({ scripts: { test: "true" } }) };
    for (let index = 0; index < 600; index += 1) files[`data/file-${index}.txt`] = "x";
    const folder = folderWith(files);
    await drive({ folder, allow: ["Bash(npm test)", writeRule] });
    expect(reportIn(folder)).toContain(
      "**The listing was cut because it is too long: all figures cover only the files that were listed.**",
    );
    expect(reportIn(folder)).toContain("**Passed** (exit code 0).");
  });
});

describe("results that are none", () => {
  const allow = ["Bash(npm test)", writeRule];

  test.each([
    ["outcome_unknown", 2, "Its outcome is **unknown**"],
    ["interrupted", 2, "It was interrupted before it came to its end."],
    ["denied", 1, "Not run: this was **denied**."],
    ["tool_timeout", 1, "It **did not end in time** and was stopped."],
    ["process_failed", 1, "It could not be run: process_failed"],
  ])("a test run that always ends as %s is tried %i times", async (errorType, times, sentence) => {
    const folder = inventory();
    const { calls } = await drive({
      folder,
      allow,
      alter: ({ name }) => (name === "shell" ? failed(errorType) : undefined),
    });
    expect(calls.filter((call) => call.startsWith('["shell"')).length).toBe(times);
    expect(reportIn(folder)).toContain(sentence);
  });

  test("a test run of unknown outcome is said to be so, run again, and then reported", async () => {
    const folder = inventory();
    const alter = await recorded();
    const { messages } = await drive({
      folder,
      allow,
      alter: (call, attempt) => {
        if (call.name !== "shell") return undefined;
        return attempt === 1 ? failed("outcome_unknown") : alter?.(call, attempt);
      },
    });
    const texts = messages.map(({ content }) => textOf(content));
    expect(texts).toContain("The outcome of `npm test` is unknown. A test run may be repeated: I do it once more.");
    expect(reportIn(folder)).toContain("16 passed, 1 failed");
  });

  test("a write of unknown outcome is done again", async () => {
    const folder = inventory();
    const alter = await recorded();
    const { last } = await drive({
      folder,
      allow,
      alter: (call, attempt) =>
        call.name === "write" && attempt === 1 ? failed("outcome_unknown") : alter?.(call, attempt),
    });
    expect(last).toContain("The report is in `report/README.md`.");
    expect(reportIn(folder)).toContain("16 passed, 1 failed");
  });

  test.each(["list", "search", "read"])("%s is denied", async (denied) => {
    const folder = inventory();
    const alter = await recorded();
    await drive({
      folder,
      allow,
      alter: (call, attempt) =>
        call.name === denied ? failed("denied", "Not in this folder.") : alter?.(call, attempt),
    });
    expect(reportIn(folder)).toMatch(new RegExp(`- \`${denied} .*\`: \\*\\*denied\\*\\*\\. \`Not in this folder\\.\``));
  });
});

// ── what a resume sees ───────────────────────────────────────────────────────────────────────────────────────────────

describe("cut at any message border", () => {
  test("the examination goes on and comes to the same report", async () => {
    const folder = inventory();
    const allow = ["Bash(npm test)", writeRule];
    const alter = await recorded();
    const whole = await drive({ folder, allow, alter });
    const report = withoutTimes(reportIn(folder));
    for (let border = 1; border < whole.messages.length; border += 1) {
      rmSync(join(folder, "report"), { recursive: true, force: true });
      const messages = whole.messages.slice(0, border);
      const again = await drive({ folder, allow, messages, alter });
      expect(again.turns).toBeLessThanOrEqual(whole.turns);
      // Behind the write nothing is left to do.
      if (border < whole.messages.length - 1) expect(withoutTimes(reportIn(folder))).toBe(report);
      expect(again.last).toContain("The report is in `report/README.md`.");
    }
  });

  test("after each kind of close that a crash leaves behind", async () => {
    const folder = inventory();
    const allow = ["Bash(npm test)", writeRule];
    const alter = await recorded();
    const whole = await drive({ folder, allow, alter });
    for (let border = 2; border < whole.messages.length; border += 2) {
      const cut = whole.messages.slice(0, border);
      const calls = (cut.at(-1)?.content ?? []).flatMap((block) => (block.type === "tool_use" ? [block] : []));
      for (const errorType of ["outcome_unknown", "interrupted", "cut"]) {
        const closed = calls.map(
          (call): ToolResultBlock => ({
            type: "tool_result",
            id: call.id,
            ...(failed(errorType) ?? { content: [], isError: true }),
          }),
        );
        const again = await drive({
          folder,
          allow,
          messages: [...cut, { role: "tool", content: closed }],
          alter,
        });
        expect(again.last).toContain("The report is in `report/README.md`.");
        expect(withoutTimes(reportIn(folder))).toContain("16 passed, 1 failed");
      }
    }
  });

  test("after a message that was cut off in the middle of its text", async () => {
    const folder = inventory();
    const allow = ["Bash(npm test)", writeRule];
    const alter = await recorded();
    const whole = await drive({ folder, allow, alter });
    for (let border = 1; border < whole.messages.length; border += 2) {
      const partial: Message = { role: "assistant", content: [{ type: "text", text: "I run the te" }] };
      const note: Message = {
        role: "developer",
        content: [
          { type: "text", text: "[The message above was cut off by a crash. What follows does not repeat it.]" },
        ],
      };
      const messages = [...whole.messages.slice(0, border), partial, note];
      const again = await drive({ folder, allow, messages, alter });
      expect(again.last).toContain("The report is in `report/README.md`.");
      const after = await drive({ folder, allow, messages: [...messages, user("go on, please")], alter });
      expect(after.calls).toEqual(again.calls);
    }
  });
});
