import { expect, it } from "vitest";
import { createMemoryStore } from "../../store/memory.ts";
import { unwrap } from "../errors.ts";
import { createBrainBench } from "../testing/brain-bench.ts";
import { createFakeTools } from "../testing/fake-tools.ts";
import { createScriptedModel } from "../testing/scripted-model.ts";
import { createVirtualClock } from "../testing/virtual-clock.ts";

it("runs tools until the model asks for none", async () => {
  const store = createMemoryStore();
  const model = createScriptedModel([
    {
      text: "Looking.",
      calls: [
        { name: "look", input: { at: "a" } },
        { name: "look", input: { at: "b" } },
      ],
    },
    { text: "Done." },
  ]);
  const tools = createFakeTools({ look: { readOnly: true, run: (call) => `saw ${String(call.input.at)}` } });
  const bench = createBrainBench({ store, model, tools, clock: createVirtualClock() });
  const types: string[] = [];
  const stream = bench.drive("s1", "go");
  for await (const part of stream) types.push(part.type);
  model.assertDone();
  const events = unwrap(await store.read("s1")).map((event) => event.type);
  expect(events).toEqual([
    "session.created",
    "brain.woke",
    "input.received",
    "run.started",
    "tools.changed",
    "context.captured",
    "model.requested",
    "model.responded",
    "call.judged",
    "call.judged",
    "tool.started",
    "tool.started",
    "tool.finished",
    "tool.finished",
    "model.requested",
    "model.responded",
    "run.ended",
  ]);
  expect(model.requests[1]?.messages).toEqual([
    { role: "user", content: [{ type: "text", text: "go" }] },
    {
      role: "assistant",
      content: [
        { type: "text", text: "Looking." },
        { type: "tool_use", id: "t1_0", name: "look", input: { at: "a" } },
        { type: "tool_use", id: "t1_1", name: "look", input: { at: "b" } },
      ],
    },
    {
      role: "tool",
      content: [
        { type: "tool_result", id: "t1_0", content: [{ type: "text", text: "saw a" }], isError: false },
        { type: "tool_result", id: "t1_1", content: [{ type: "text", text: "saw b" }], isError: false },
      ],
    },
  ]);
});
