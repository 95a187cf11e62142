import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import { type BenchWorldOptions, createBenchWorld } from "../../testing/bench-world.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";

const world = (options: Omit<BenchWorldOptions, "store" | "clock">) => {
  const clock = createVirtualClock();
  return createBenchWorld({ store: createMemoryStore({ now: clock.now }), clock, ...options });
};

const usage = { input: 80, output: 20 };

it("tells a run that stops before its least amount of work to go on, three times at most", async () => {
  const step = { text: "Done.", usage };
  const { run, model, data, messages } = world({
    settings: { limits: { minTokens: 1_000 } },
    script: [step, step, step, step],
  });
  expect((await run("go")).reason).toBe("done");
  model.assertDone();
  expect((await data("model.requested")).map((request) => Object(request).transition)).toEqual([
    "start",
    "budget_continue",
    "budget_continue",
    "budget_continue",
  ]);
  expect(messages(1)?.at(-1)).toEqual({
    role: "developer",
    content: [
      {
        type: "text",
        text: "About 10 % of the work budget is used. Go on: look for what is missing, unchecked or could be better.",
      },
    ],
  });
});

it("believes a run that has done enough", async () => {
  const { run, data } = world({ settings: { limits: { minTokens: 100 } }, script: [{ text: "Done.", usage }] });
  expect((await run("go")).reason).toBe("done");
  expect(await data("notice.added")).toEqual([]);
});

it("counts its three times over the whole run, and anew in the next", async () => {
  const step = { text: "Done.", usage };
  const calls = (n: number) => ({ calls: [{ name: "nothing", input: { n } }], usage });
  const { run, data } = world({
    settings: { limits: { minTokens: 10_000 } },
    script: [step, calls(1), step, calls(2), step, calls(3), step, step, step, step, step],
  });
  await run("go");
  expect(await data("notice.added")).toHaveLength(3);
  await run("again");
  expect(await data("notice.added")).toHaveLength(6);
});
