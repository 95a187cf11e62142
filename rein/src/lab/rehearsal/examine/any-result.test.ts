import fc from "fast-check";
import { expect, test } from "vitest";
import type { Conversation, PastCall } from "../conversation.ts";
import type { Outcome } from "../outcome-of.ts";
import { examinePlaybook } from "./examine-playbook.ts";

const MOST_TURNS = 16;
const OUTCOMES: readonly Outcome[] = [
  "ok",
  "broken",
  "denied",
  "timeout",
  "unknown",
  "interrupted",
  "cancelled",
  "missing",
];

/** Texts that look like results, with anything in between. */
const line = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom(
    "The workspace, up to 20 levels:",
    "package.json  40",
    "库/a.test.js  7",
    "sub/",
    "sub/go.mod  9",
    "[4 more entries are left out; list a folder further down, or use a smaller depth.]",
    '     1\t{ "scripts": { "test": "x" } }',
    '     2\timport a from "./a.js";',
    "3 matching lines in 2 files (9 files searched).",
    "a.js:3: // TODO",
    "exit code 1",
    "ℹ pass 0",
    "✖ failing tests:",
    "test at package.json:1:1",
    "TAP version 13",
    "not ok 1 - x",
    "  ---",
    "Test Suites: 1 failed",
    "FAIL\tx [build failed]",
  ),
);
const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join("\n"));
const result = fc.record({ outcome: fc.constantFrom(...OUTCOMES), text });

test("whatever the tools return, the examination comes to an end and says something", () => {
  const offered = fc.subarray(["shell", "read", "write", "list", "search"]);
  fc.assert(
    fc.property(offered, fc.infiniteStream(result), (tools, results) => {
      const calls: PastCall[] = [];
      for (let turn = 1; turn <= MOST_TURNS; turn += 1) {
        const conversation: Conversation = {
          task: "Examine this",
          remarks: [],
          calls: calls.slice(),
          said: [],
          offered: tools,
        };
        const said = examinePlaybook.rules.find((rule) => rule.when(conversation))?.respond(conversation) ?? [];
        expect(said.length).toBeGreaterThan(0);
        const made = said.flatMap((one) => (one.type === "call" ? [one] : []));
        if (made.length === 0) return;
        for (const { tool, input } of made) {
          expect(tools).toContain(tool);
          const came = results.next().value;
          calls.push({ tool, input, outcome: came.outcome, text: came.outcome === "missing" ? "" : came.text });
        }
      }
      expect.unreachable(`not at an end after ${MOST_TURNS} turns`);
    }),
    { numRuns: 500 },
  );
});
