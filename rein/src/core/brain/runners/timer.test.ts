import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import { createBenchWorld } from "../../testing/bench-world.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";

/** A session whose process died after 4 of the 10 seconds of a wait; the clock was then set by `step`. */
const crash = async (step: number) => {
  const clock = createVirtualClock();
  const world = createBenchWorld({
    store: createMemoryStore({ now: clock.now, alive: () => "dead" }),
    clock,
    script: [{ error: "model_overloaded", retryAfter: 10_000 }, { text: "Done." }],
  });
  await world.start("go");
  await clock.advance(4_000);
  clock.step(step);
  return world;
};

it("goes on with what remains after a crash", async () => {
  const { start, clock, data, model } = await crash(0);
  const { end } = await start(undefined, { steal: true });
  expect(await data("timer.rearmed")).toEqual([{ name: "retry:1.1", remaining: 6_000 }]);
  await clock.advance(5_999);
  expect(model.requests).toHaveLength(1);
  await clock.advance(1);
  expect((await end).reason).toBe("done");
});

it("never waits longer than its length when the clock was set back", async () => {
  const { start, clock, data } = await crash(-3_600_000);
  const { end } = await start(undefined, { steal: true });
  expect(await data("timer.rearmed")).toEqual([{ name: "retry:1.1", remaining: 10_000 }]);
  await clock.advance(10_000);
  expect((await end).reason).toBe("done");
});

it("fires at once when the clock was set far ahead", async () => {
  const { start, data, clock } = await crash(365 * 24 * 3_600_000);
  const { end } = await start(undefined, { steal: true });
  await clock.advance(0);
  expect((await end).reason).toBe("done");
  expect(await data("timer.rearmed")).toEqual([{ name: "retry:1.1", remaining: 0 }]);
});

it("is not moved by a clock that is set while it runs", async () => {
  const clock = createVirtualClock();
  const { start, model } = createBenchWorld({
    store: createMemoryStore({ now: clock.now }),
    clock,
    script: [{ error: "model_overloaded", retryAfter: 10_000 }, { text: "Done." }],
  });
  const { end } = await start("go");
  await clock.advance(4_000);
  clock.step(-3_600_000);
  await clock.advance(5_999);
  expect(model.requests).toHaveLength(1);
  await clock.advance(1);
  expect((await end).reason).toBe("done");
});
