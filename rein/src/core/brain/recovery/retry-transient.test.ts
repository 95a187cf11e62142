import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import { type BenchWorldOptions, createBenchWorld } from "../../testing/bench-world.ts";
import { createVirtualClock, settle } from "../../testing/virtual-clock.ts";

const world = (script: NonNullable<BenchWorldOptions["script"]>) => {
  const clock = createVirtualClock();
  return createBenchWorld({ store: createMemoryStore({ now: clock.now }), clock, script });
};

it("waits out the time the server named, by a timer, and asks again", async () => {
  const { start, clock, model, types, data } = world([
    { error: "model_rate_limited", retryAfter: 7_000 },
    { text: "Done." },
  ]);
  const { end } = await start("go");
  await clock.advance(6_999);
  expect(model.requests).toHaveLength(1);
  await clock.advance(1);
  expect((await end).reason).toBe("done");
  expect(await types(7)).toEqual([
    "model.requested",
    "model.failed",
    "timer.set",
    "timer.fired",
    "model.requested",
    "model.responded",
    "run.ended",
  ]);
  expect(await data("timer.set")).toEqual([{ name: "retry:1.1", length: 7_000 }]);
  expect(await data("model.requested")).toMatchObject([
    { turn: 1, attempt: 1, transition: "start" },
    { turn: 1, attempt: 2, transition: "model_retry" },
  ]);
});

it("withholds the error from the caller until every way is spent", async () => {
  const { run, parts } = world([{ error: "model_overloaded" }, { text: "Done." }]);
  expect(await run("go")).toMatchObject({ reason: "done" });
  expect(parts.filter((part) => part.type === "error" || part.type === "notice")).toEqual([]);
});

it("makes three attempts in all, the waits doubled", async () => {
  const { run, model, data } = world([
    { error: "model_overloaded" },
    { error: "model_timeout" },
    { error: "model_unreachable", message: "No route." },
  ]);
  const end = await run("go");
  model.assertDone();
  expect(end).toMatchObject({ reason: "failed", error: { code: "model_unreachable", message: "No route." } });
  const lengths = (await data("timer.set")).map((set) => Object(set).length);
  expect(lengths).toHaveLength(2);
  expect(Math.floor(lengths[0] / 1_000)).toBe(1);
  expect(Math.floor(lengths[1] / 1_000)).toBe(2);
});

it("asks again in a new process, with what remains of the wait, when the old one died while waiting", async () => {
  const { start, run, clock, data } = world([{ error: "model_overloaded", retryAfter: 10_000 }, { text: "Done." }]);
  await start("go");
  await clock.advance(4_000);
  expect(await data("timer.set")).toHaveLength(1);
  const end = await run(undefined, { steal: true });
  expect(end.reason).toBe("done");
  expect(await data("timer.rearmed")).toEqual([{ name: "retry:1.1", remaining: 6_000 }]);
  expect(await data("timer.fired")).toEqual([{ name: "retry:1.1" }]);
});

it("does not repeat a fault that will not go away", async () => {
  const { run, model } = world([{ error: "model_auth" }]);
  expect(await run("go")).toMatchObject({ reason: "failed", error: { code: "model_auth", class: "permanent" } });
  model.assertDone();
});

it("ends at once when interrupted while it waits", async () => {
  const { start, send, clock, types } = world([{ error: "model_overloaded", retryAfter: 60_000 }]);
  const { end } = await start("go");
  await clock.advance(10);
  await send({ kind: "interrupt" });
  await settle();
  expect((await end).reason).toBe("interrupted");
  expect(await types(10)).toEqual(["run.interrupted", "run.ended"]);
});
