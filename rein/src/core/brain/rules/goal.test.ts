import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import { type BenchWorldOptions, createBenchWorld } from "../../testing/bench-world.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";

const world = (options: Omit<BenchWorldOptions, "store" | "clock">) => {
  const clock = createVirtualClock();
  return createBenchWorld({ store: createMemoryStore({ now: clock.now }), clock, ...options });
};

const aim = { text: "All tests pass", keywords: ["tests"], metric: "passing", target: 3, deadlineTurns: 4 };

it("ends with the goal reached, whatever the model says of it", async () => {
  const { run, data } = world({
    settings: { goal: aim },
    script: [{ text: "I think so." }],
    measures: { passing: () => 3 },
  });
  expect((await run("go")).reason).toBe("goal_reached");
  expect(await data("goal.measured")).toEqual([{ turn: 1, value: 3 }]);
});

it("tells a model that stops too early what is missing", async () => {
  let passing = 1;
  const { run, data, messages } = world({
    settings: { goal: aim },
    script: [{ text: "Done." }, { calls: [{ name: "mend" }] }, { text: "Now." }],
    tools: {
      mend: {
        run: () => {
          passing = 3;
          return "mended";
        },
      },
    },
    measures: { passing: () => passing },
  });
  expect((await run("go")).reason).toBe("goal_reached");
  expect(messages(1)?.at(-1)).toEqual({
    role: "developer",
    content: [
      {
        type: "text",
        text: "The goal is not reached: passing is 1, wanted at least 3. Goal: All tests pass. Go on.",
      },
    ],
  });
  expect((await data("model.requested")).map((request) => Object(request).transition)).toEqual([
    "start",
    "goal_pending",
    "next_turn",
  ]);
});

it("misses the goal at its deadline, also while calls are being made", async () => {
  const calls = (n: number) => ({ calls: [{ name: "nothing", input: { n } }] });
  const { run, model } = world({
    settings: { goal: aim },
    script: [calls(1), calls(2), calls(3), calls(4)],
    measures: { passing: () => 2 },
  });
  expect((await run("go")).reason).toBe("goal_missed");
  model.assertDone();
});

it("takes an asynchronous measure", async () => {
  const { run } = world({ settings: { goal: aim }, script: [{ text: "Done." }], measures: { passing: async () => 5 } });
  expect((await run("go")).reason).toBe("goal_reached");
});

it("fails the run when the metric cannot be measured: nobody can say that it is reached", async () => {
  const { run, data } = world({ settings: { goal: aim }, script: [{ text: "Done." }], measures: {} });
  expect(await run("go")).toMatchObject({ reason: "failed", error: { code: "effect_unrunnable" } });
  expect(await data("effect.failed")).toMatchObject([
    { id: "goal:1", error: { code: "invalid_option", message: 'There is no measure "passing".' } },
  ]);
});
