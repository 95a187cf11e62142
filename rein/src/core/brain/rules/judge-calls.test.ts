import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import { type BenchWorldOptions, createBenchWorld } from "../../testing/bench-world.ts";
import { createBrainBench } from "../../testing/brain-bench.ts";
import { createFakeTools } from "../../testing/fake-tools.ts";
import { readLog } from "../../testing/read-log.ts";
import { createScriptedModel } from "../../testing/scripted-model.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";

const world = (options: Omit<BenchWorldOptions, "store" | "clock">) => {
  const clock = createVirtualClock();
  return createBenchWorld({ store: createMemoryStore({ now: clock.now }), clock, ...options });
};

it("judges every call of a message before any of them runs", async () => {
  const { run, types } = world({
    script: [{ calls: [{ name: "look" }, { name: "look" }] }, { text: "Done." }],
    tools: { look: { readOnly: true } },
  });
  await run("go");
  expect(await types(8)).toEqual([
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
});

it("waits for a judgement that comes from outside", async () => {
  const { run, types, data } = world({
    script: [{ calls: [{ name: "look" }] }, { text: "Done." }],
    tools: { look: { slowJudge: true, run: () => "seen" } },
  });
  await run("go");
  expect(await types(8)).toEqual([
    "model.responded",
    "call.judged",
    "tool.started",
    "tool.finished",
    "model.requested",
    "model.responded",
    "run.ended",
  ]);
  expect(await data("tool.finished")).toMatchObject([{ outcome: "ok" }]);
});

it("closes a call that cannot be judged, and the run goes on", async () => {
  const clock = createVirtualClock();
  const store = createMemoryStore({ now: clock.now });
  const model = createScriptedModel([{ calls: [{ name: "look" }] }, { text: "Done." }]);
  const tools = createFakeTools({});
  const bench = createBrainBench({
    store,
    clock,
    model,
    tools: {
      ...tools,
      judge: () => {
        throw new Error("The policy file is broken.");
      },
    },
  });
  expect((await bench.drive("s1", "go").finish()).reason).toBe("done");
  expect((await readLog(store, "s1")).slice(8)).toMatchObject([
    { type: "effect.failed", data: { id: "judge:8.0", error: { message: "The policy file is broken." } } },
    { type: "tool.finished", data: { call: "8.0", outcome: "error", errorType: "not_judged" } },
    { type: "model.requested" },
    { type: "model.responded" },
    { type: "run.ended" },
  ]);
});

it("closes a call whose judge failed later, once", async () => {
  const clock = createVirtualClock();
  const store = createMemoryStore({ now: clock.now });
  const model = createScriptedModel([{ calls: [{ name: "look" }] }, { text: "Done." }]);
  const tools = { ...createFakeTools({}), judge: () => Promise.reject(new Error("The reviewer is away.")) };
  const bench = createBrainBench({ store, clock, model, tools });
  expect((await bench.drive("s1", "go").finish()).reason).toBe("done");
  expect((await readLog(store, "s1", "effect.failed")).length).toBe(1);
  expect(await readLog(store, "s1", "tool.finished")).toMatchObject([{ data: { errorType: "not_judged" } }]);
});
