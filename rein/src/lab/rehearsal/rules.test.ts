/** The rules of the bundled playbooks over literal conversations: what each makes of what it sees. */
import { describe, expect, test } from "vitest";
import type { Conversation, PastCall } from "./conversation.ts";
import { examinePlaybook } from "./examine/examine-playbook.ts";
import type { Playbook } from "./playbook.ts";
import { simplePlaybook } from "./simple-playbook.ts";

const ALL = ["shell", "read", "write", "list", "search"];

function conversation(more: Partial<Conversation> = {}): Conversation {
  return { task: "Examine this folder", remarks: [], calls: [], said: [], offered: ALL, ...more };
}

/** The name of the rule that answers, the calls it makes, and its text. */
function answer(playbook: Playbook, seen: Conversation) {
  const rule = playbook.rules.find((one) => one.when(seen));
  const said = rule?.respond(seen) ?? [];
  return {
    rule: rule?.name,
    calls: said.flatMap((one) =>
      one.type === "call" ? [[one.tool, one.input.path ?? one.input.command ?? one.input.pattern]] : [],
    ),
    text: said.flatMap((one) => (one.type === "text" ? [one.text] : [])).join("\n"),
  };
}

const done = (tool: string, input: PastCall["input"], text: string): PastCall => ({ tool, input, text, outcome: "ok" });
const not = (outcome: PastCall["outcome"], { tool, input }: PastCall): PastCall => ({
  tool,
  input,
  outcome,
  text: `It is ${outcome}.`,
});

const listed = done(
  "list",
  { path: ".", depth: 20 },
  "The workspace, up to 20 levels:\nlib/\nlib/a.js  12\nlib/a.test.js  90\npackage.json  40",
);
const searched = done("search", { pattern: "\\b(?:TODO|FIXME)\\b" }, "No match (3 files searched).");
const manifest = done("read", { path: "package.json" }, '     1\t{ "scripts": { "test": "node --test" } }');
const tested = done(
  "shell",
  { command: "npm test", timeout: 300 },
  [
    "exit code 1",
    "ℹ tests 1",
    "ℹ pass 0",
    "ℹ fail 1",
    "",
    "✖ failing tests:",
    "",
    "test at lib/a.test.js:2:1",
    "✖ adds (1.2ms)",
    "  Error: no",
    "      at TestContext.<anonymous> (file:///home/u/x/lib/a.test.js:3:9)",
  ].join("\n"),
);
const failing = done(
  "read",
  { path: "lib/a.test.js" },
  '     1\timport { a } from "./a.js";\n     2\ttest("adds", () => {\n     3\t  a(1);',
);
const imported = done("read", { path: "lib/a.js" }, "     1\texport function a() {}");
const written = done("write", { path: "report/README.md", content: "…" }, "Wrote 1 bytes.");
const whole: readonly PastCall[] = [listed, searched, manifest, tested, failing, imported, written];

describe("examine", () => {
  const LOOK = [
    ["list", "."],
    ["search", "\\b(?:TODO|FIXME)\\b"],
  ];
  const table: [string, Partial<Conversation>, { rule: string; calls: readonly unknown[] }][] = [
    ["nothing yet", {}, { rule: "look", calls: LOOK }],
    ["only the search is back", { calls: [searched] }, { rule: "look", calls: [["list", "."]] }],
    [
      "the folder is known",
      { calls: [listed, searched] },
      { rule: "read-what-tells", calls: [["read", "package.json"]] },
    ],
    [
      "the listing was cut",
      { calls: [{ ...listed, text: `${listed.text}\n[7 more entries are left out; list …]` }, searched] },
      { rule: "look-further", calls: [["list", "."]] },
    ],
    [
      "it is known how it is tested",
      { calls: whole.slice(0, 3) },
      { rule: "run-tests", calls: [["shell", "npm test"]] },
    ],
    ["a test fails", { calls: whole.slice(0, 4) }, { rule: "read-what-fails", calls: [["read", "lib/a.test.js"]] }],
    [
      "the failing test was read",
      { calls: whole.slice(0, 5) },
      { rule: "read-what-it-uses", calls: [["read", "lib/a.js"]] },
    ],
    ["all was read", { calls: whole.slice(0, 6) }, { rule: "write-report", calls: [["write", "report/README.md"]] }],
    ["the report is written", { calls: whole }, { rule: "tell", calls: [] }],
    [
      "the tests were denied",
      { calls: [listed, searched, manifest, not("denied", tested)] },
      { rule: "write-report", calls: [["write", "report/README.md"]] },
    ],
    [
      "the tests timed out",
      { calls: [listed, searched, manifest, not("timeout", tested)] },
      { rule: "write-report", calls: [["write", "report/README.md"]] },
    ],
    [
      "the tests ended nobody knows how",
      { calls: [listed, searched, manifest, not("unknown", tested)] },
      { rule: "run-tests", calls: [["shell", "npm test"]] },
    ],
    [
      "and so twice",
      { calls: [listed, searched, manifest, not("unknown", tested), not("unknown", tested)] },
      { rule: "write-report", calls: [["write", "report/README.md"]] },
    ],
    [
      "the listing was denied",
      { calls: [not("denied", listed), searched] },
      {
        rule: "read-what-tells",
        calls: ["package.json", "pyproject.toml", "Makefile", "Cargo.toml", "go.mod", "README.md"].map((path) => [
          "read",
          path,
        ]),
      },
    ],
    ["no tool at all", { offered: [] }, { rule: "tell", calls: [] }],
    [
      "another place for the report",
      { task: "Examine this folder, save the report as notes/seen.md.", calls: whole.slice(0, 6) },
      { rule: "write-report", calls: [["write", "notes/seen.md"]] },
    ],
    [
      "another place, said later",
      { remarks: ["write it to notes/"], calls: whole.slice(0, 6) },
      { rule: "write-report", calls: [["write", "notes/README.md"]] },
    ],
    ["the person says stop", { remarks: ["Stop, please."], calls: whole.slice(0, 3) }, { rule: "stop", calls: [] }],
  ];
  test.each(table)("%s", (_, seen, expected) => {
    expect(answer(examinePlaybook, conversation(seen))).toMatchObject(expected);
  });

  test("a test that is read because it fails does not change how the folder is tested", () => {
    const tree = done(
      "list",
      { path: ".", depth: 20 },
      "The workspace, up to 20 levels:\nt/\nt/test_a.py  9\ntest_z.py  9",
    );
    const first = done("read", { path: "test_z.py" }, "     1\timport unittest");
    const command = "python3 -m unittest discover";
    const output =
      'exit code 1\n[standard error]\nFAIL: test_a (t.test_a.A)\n  File "/x/t/test_a.py", line 1, in test_a\nRan 2 tests in 0.1s';
    const run = done("shell", { command, timeout: 300 }, output);
    const second = done("read", { path: "t/test_a.py" }, "     1\timport pytest");
    const calls = [tree, searched, first, run];
    expect(answer(examinePlaybook, conversation({ calls }))).toMatchObject({ calls: [["read", "t/test_a.py"]] });
    expect(answer(examinePlaybook, conversation({ calls: [...calls, second] }))).toMatchObject({
      rule: "write-report",
    });
  });

  test("what a person said while it worked stands in the report", () => {
    const { text } = answer(
      examinePlaybook,
      conversation({
        remarks: ["and be funny"],
        offered: ["list", "search", "read", "shell"],
        calls: whole.slice(0, 6),
      }),
    );
    expect(text).toContain("You said while I worked: `and be funny`.");
  });

  test.each([
    ["Examine this folder and write a report", true],
    ["please analyse the repo", true],
    ["What's in this directory?", true],
    ["检查一下这个项目", true],
    ["Write a poem", false],
    ["hello", false],
    ["", false],
  ])("%s: %s", (text, asks) => {
    expect(examinePlaybook.asks(text)).toBe(asks);
  });
});

describe("simple", () => {
  const simple = (task: string, more: Partial<Conversation> = {}) =>
    answer(simplePlaybook, conversation({ task, ...more }));
  const ran = done("shell", { command: "ls" }, "exit code 0\na\nb");

  test.each([
    ["echo  two words ", "two words"],
    ["Say: 你好", "你好"],
  ])("%s", (task, text) => {
    expect(simple(task)).toEqual({ rule: "echo", calls: [], text });
  });

  test.each([
    ["run `npm test`", [["shell", "npm test"]]],
    ['Please read the file "a b.md".', [["read", "a b.md"]]],
    ["list `src`", [["list", "src"]]],
    ["search for 'x.y'", [["search", "x.y"]]],
  ])("%s", (task, calls) => {
    expect(simple(task)).toMatchObject({ rule: "call-once", calls });
  });

  test("shows what came, and why nothing came", () => {
    expect(simple("run `ls`", { calls: [ran] }).text).toBe("`shell` returned:\n```\nexit code 0\na\nb\n```");
    expect(simple("run `ls`", { calls: [not("denied", ran)] }).text).toBe(
      "`shell` did not succeed (denied):\n```\nIt is denied.\n```",
    );
    expect(simple("run `ls`", { offered: [] }).text).toBe("That needs the tool `shell`, which I am not offered here.");
  });

  test("a call without any result is made twice at most", () => {
    expect(simple("run `ls`", { calls: [not("missing", ran)] }).rule).toBe("call-once");
    expect(simple("run `ls`", { calls: [not("missing", ran), not("missing", ran)] }).rule).toBe("show-what-came");
  });

  test.each(["run the tests", "read everything and report", "echo"])("%s is not simple", (task) => {
    expect(simplePlaybook.asks(task)).toBe(false);
  });
});
