import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import { type BenchWorldOptions, createBenchWorld } from "../../testing/bench-world.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";

const world = (script: BenchWorldOptions["script"]) => {
  const clock = createVirtualClock();
  const store = createMemoryStore({ now: clock.now });
  return createBenchWorld({ store, clock, script: script ?? [], maxOutput: { normal: 100, raised: 800 } });
};

it("asks once more under the raised limit and keeps nothing of the cut attempt", async () => {
  const { run, model, data, parts, messages } = world([
    { text: "half a sen", stop: "max_output" },
    { text: "A whole sentence." },
  ]);
  const end = await run("go");
  expect(end.reason).toBe("done");
  expect(end.text).toBe("A whole sentence.");
  expect(model.requests.map((request) => request.maxOutput)).toEqual([100, 800]);
  expect(messages(1)).toEqual([{ role: "user", content: [{ type: "text", text: "go" }] }]);
  expect(await data("model.requested")).toMatchObject([
    { turn: 1, attempt: 1, transition: "start", escalated: false },
    { turn: 1, attempt: 2, transition: "output_truncated", escalated: true },
  ]);
  expect(parts.map((part) => part.type)).toEqual([
    "agent_start",
    "turn_start",
    "content_block_start",
    "text_delta",
    "content_block_end",
    "message_end",
    "message_discarded",
    "turn_start",
    "content_block_start",
    "text_delta",
    "content_block_end",
    "message_end",
    "turn_end",
  ]);
});

it("does not run the calls of the attempt it drops", async () => {
  let ran = 0;
  const clock = createVirtualClock();
  const { run, types } = createBenchWorld({
    store: createMemoryStore({ now: clock.now }),
    clock,
    script: [{ calls: [{ name: "act" }], stop: "max_output" }, { text: "Done." }],
    tools: { act: { run: () => String(++ran) } },
  });
  await run("go");
  expect(ran).toBe(0);
  expect(await types(7)).toEqual([
    "model.requested",
    "model.responded",
    "model.requested",
    "model.responded",
    "run.ended",
  ]);
});

it("drops the raised limit after normal progress, so that it can be raised again", async () => {
  const { run, data } = world([
    { text: "cut", stop: "max_output" },
    { calls: [{ name: "nothing" }] },
    { text: "cut", stop: "max_output" },
    { text: "Done." },
  ]);
  await run("go");
  expect(await data("model.requested")).toMatchObject([
    { turn: 1, escalated: false },
    { turn: 1, escalated: true },
    { turn: 2, escalated: false },
    { turn: 2, escalated: true },
  ]);
});
