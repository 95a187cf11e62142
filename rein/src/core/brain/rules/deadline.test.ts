import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import { type BenchWorldOptions, createBenchWorld } from "../../testing/bench-world.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";

const world = (options: Omit<BenchWorldOptions, "store" | "clock">) => {
  const clock = createVirtualClock();
  return createBenchWorld({ store: createMemoryStore({ now: clock.now }), clock, ...options });
};

it("ends a run when its time is over, whatever hangs", async () => {
  const { start, clock, types, data } = world({
    settings: { limits: { maxTime: 60_000 } },
    script: [{ calls: [{ name: "act" }] }],
    tools: {
      act: {
        run: (_call, { signal }) =>
          new Promise((resolve) => signal.addEventListener("abort", () => resolve(""), { once: true })),
      },
    },
  });
  const { end } = await start("go");
  await clock.advance(59_999);
  expect(await data("timer.fired")).toEqual([]);
  await clock.advance(1);
  expect((await end).reason).toBe("max_time");
  expect(await types(4)).toEqual([
    "run.started",
    "timer.set",
    "tools.changed",
    "context.captured",
    "model.requested",
    "model.responded",
    "call.judged",
    "tool.started",
    "timer.fired",
    "tool.finished",
    "run.ended",
  ]);
});

it("begins with each run anew", async () => {
  const { run, clock, data } = world({
    settings: { limits: { maxTime: 60_000 } },
    script: [{ text: "One." }, { text: "Two." }],
  });
  await run("one");
  await clock.advance(100_000);
  expect((await run("two")).reason).toBe("done");
  expect(await data("timer.set")).toEqual([
    { name: "deadline:1:60000", length: 60_000 },
    { name: "deadline:2:60000", length: 60_000 },
  ]);
  expect(await data("timer.fired")).toEqual([]);
});

it("holds to a limit that is changed while it runs, from then on", async () => {
  const { start, send, clock, data } = world({
    settings: { limits: { maxTime: 3_600_000 } },
    script: [{ calls: [{ name: "act" }] }],
    tools: {
      act: {
        run: (_call, { signal }) =>
          new Promise((resolve) => signal.addEventListener("abort", () => resolve(""), { once: true })),
      },
    },
  });
  const { end } = await start("go");
  await clock.advance(10_000);
  await send({ kind: "settings", change: { limits: { maxTime: 5_000 } } });
  await clock.advance(4_999);
  expect(await data("timer.fired")).toEqual([]);
  await clock.advance(1);
  expect((await end).reason).toBe("max_time");
  expect(await data("timer.fired")).toEqual([{ name: "deadline:1:5000" }]);
});
