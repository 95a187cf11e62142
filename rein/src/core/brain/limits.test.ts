import { expect, it } from "vitest";
import { createMemoryStore } from "../../store/memory.ts";
import type { Limits } from "../session/index.ts";
import { type BenchWorldOptions, createBenchWorld } from "../testing/bench-world.ts";
import { createVirtualClock } from "../testing/virtual-clock.ts";

const usage = { input: 60, output: 20, cacheRead: 15, cacheWrite: 5, cost: 0.25 };
const calls = (n: number) => ({ calls: [{ name: "nothing", input: { n } }], usage });
const script = [calls(1), calls(2), calls(3), { text: "Done.", usage }];

const world = (limits: Limits, steps: BenchWorldOptions["script"] = script) => {
  const clock = createVirtualClock();
  return createBenchWorld({ store: createMemoryStore({ now: clock.now }), clock, settings: { limits }, script: steps });
};

it.each([
  [{ maxTurns: 2 }, "max_turns", 2],
  [{ maxModelCalls: 3 }, "max_model_calls", 3],
  [{ maxTokens: 150 }, "max_tokens", 2],
  [{ maxTokens: 200 }, "max_tokens", 2],
  [{ maxCost: 0.5 }, "max_cost", 2],
  [{ maxTurns: 4, maxModelCalls: 4, maxTokens: 1_000, maxCost: 9 }, "done", 4],
  [{ maxTurns: 0 }, "max_turns", 0],
] as const)("ends a run with %j: %s after %i calls", async (limits, reason, made) => {
  const { run, model } = world(limits);
  expect((await run("go")).reason).toBe(reason);
  expect(model.requests).toHaveLength(made);
});

it("counts retries as model calls and not as turns", async () => {
  const fault = { error: "model_overloaded", retryAfter: 1 } as const;
  const turns = world({ maxTurns: 1 }, [fault, fault, { text: "Done." }]);
  expect((await turns.run("go")).reason).toBe("done");
  const callsMade = world({ maxModelCalls: 2 }, [fault, fault, { text: "Done." }]);
  expect((await callsMade.run("go")).reason).toBe("max_model_calls");
});

it("keeps the results of the last turn, so that the next run goes on from there", async () => {
  const { run, messages } = world({ maxTurns: 1 }, [calls(1), { text: "Done." }]);
  await run("go");
  await run("go on");
  expect(messages(1)?.map((message) => message.role)).toEqual(["user", "assistant", "tool", "user"]);
});

it("counts each run for itself", async () => {
  const { run } = world({ maxTurns: 2 }, [calls(1), { text: "One." }, calls(2), { text: "Two." }]);
  expect((await run("one")).reason).toBe("done");
  expect((await run("two")).reason).toBe("done");
});

it("obeys a limit that is changed while the run goes on", async () => {
  const clock = createVirtualClock();
  const { start, send } = createBenchWorld({
    store: createMemoryStore({ now: clock.now }),
    clock,
    script: [{ text: "I look.", ...calls(1), pace: () => clock.sleep(1_000) }, { text: "Done." }],
  });
  const { end } = await start("go");
  await send({ kind: "settings", change: { limits: { maxTurns: 1 } } });
  await clock.advance(1_000);
  expect((await end).reason).toBe("max_turns");
});
