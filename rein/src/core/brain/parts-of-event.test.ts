import { expect, it } from "vitest";
import { createMemoryStore } from "../../store/memory.ts";
import { type BenchWorldOptions, createBenchWorld } from "../testing/bench-world.ts";
import { createVirtualClock } from "../testing/virtual-clock.ts";

const AT = Date.UTC(2026, 0, 1);

const world = (options: Omit<BenchWorldOptions, "store" | "clock">) => {
  const clock = createVirtualClock();
  return createBenchWorld({ store: createMemoryStore({ now: clock.now }), clock, ...options });
};

it("tells a whole run, part by part, with its figures", async () => {
  const usage = { input: 100, output: 20 };
  const { run, parts } = world({
    script: [
      { thinking: "Hm.", text: "I look.", calls: [{ name: "look", input: { at: "a" } }], usage },
      { text: "Done.", usage: { input: 150, output: 5 } },
    ],
    tools: { look: { readOnly: true, run: () => "seen" } },
  });
  await run("go");
  expect(parts).toEqual([
    { type: "agent_start", session: "s1", run: 1, model: "scripted", at: AT },
    { type: "turn_start", turn: 1, attempt: 1, transition: "start", contextTokens: 0, at: AT },
    { type: "content_block_start", turn: 1, block: 0, blockType: "thinking" },
    { type: "thinking_delta", turn: 1, block: 0, text: "Hm." },
    { type: "content_block_end", turn: 1, block: 0 },
    { type: "content_block_start", turn: 1, block: 1, blockType: "text" },
    { type: "text_delta", turn: 1, block: 1, text: "I look." },
    { type: "content_block_end", turn: 1, block: 1 },
    { type: "tool_use_start", turn: 1, block: 2, id: "t1_0", name: "look" },
    { type: "tool_input_delta", turn: 1, block: 2, json: '{"at":"a"}' },
    { type: "tool_use_end", turn: 1, block: 2 },
    { type: "message_end", turn: 1, seq: 8, stop: "tool_use", usage, textLength: 7, hasToolCalls: true },
    {
      type: "tool_judged",
      call: "8.2",
      name: "look",
      decision: "allow",
      policy: "fake",
      reason: "The fake says so.",
      effects: [],
    },
    { type: "tool_start", call: "8.2", name: "look", attempt: 1 },
    {
      type: "tool_result",
      call: "8.2",
      name: "look",
      outcome: "ok",
      content: [{ type: "text", text: "seen" }],
      isError: false,
      duration: 0,
    },
    { type: "turn_end", turn: 1, hasToolCalls: true },
    { type: "turn_start", turn: 2, attempt: 1, transition: "next_turn", contextTokens: 120, at: AT },
    { type: "content_block_start", turn: 2, block: 0, blockType: "text" },
    { type: "text_delta", turn: 2, block: 0, text: "Done." },
    { type: "content_block_end", turn: 2, block: 0 },
    {
      type: "message_end",
      turn: 2,
      seq: 13,
      stop: "end",
      usage: { input: 150, output: 5 },
      textLength: 5,
      hasToolCalls: false,
    },
    { type: "turn_end", turn: 2, hasToolCalls: false },
  ]);
});

it("tells the caller to forget the deltas of an attempt that failed", async () => {
  const { run, parts } = world({ script: [{ cut: "Half" }, { text: "Whole." }] });
  await run("go");
  expect(
    parts.filter(({ type }) => type === "text_delta" || type === "message_discarded" || type === "turn_end"),
  ).toEqual([
    { type: "text_delta", turn: 1, block: 0, text: "Half" },
    { type: "message_discarded", turn: 1, attempt: 1, reason: "The model's stream ended without its end." },
    { type: "text_delta", turn: 1, block: 0, text: "Whole." },
    { type: "turn_end", turn: 1, hasToolCalls: false },
  ]);
});

it("tells of nothing that is not committed", async () => {
  const { run, parts } = world({ script: [{ text: "Done." }] });
  await run("go");
  const kinds = new Set(parts.map(({ type }) => type));
  expect(kinds.has("error")).toBe(false);
  expect(parts.filter(({ type }) => type === "agent_start")).toHaveLength(1);
});
