import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import { type BenchWorldOptions, createBenchWorld } from "../../testing/bench-world.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";

const world = (script: NonNullable<BenchWorldOptions["script"]>, models = ["first", "second"]) => {
  const clock = createVirtualClock();
  return createBenchWorld({ store: createMemoryStore({ now: clock.now }), clock, script, settings: { models } });
};

it("takes the next model when the retries of the first are spent, and starts its count anew", async () => {
  const fault = { error: "model_overloaded", retryAfter: 1 } as const;
  const { run, model, data } = world([fault, fault, fault, fault, fault, { text: "Done." }]);
  expect((await run("go")).reason).toBe("done");
  expect(model.requests.map((request) => request.model)).toEqual([
    "first",
    "first",
    "first",
    "second",
    "second",
    "second",
  ]);
  expect((await data("model.requested")).map((request) => Object(request).transition)).toEqual([
    "start",
    "model_retry",
    "model_retry",
    "model_fallback",
    "model_retry",
    "model_retry",
  ]);
});

it("takes the next model at once for a permanent fault that another may not have", async () => {
  const { run, model } = world([{ error: "model_quota" }, { text: "Done." }]);
  expect((await run("go")).reason).toBe("done");
  expect(model.requests.map((request) => request.model)).toEqual(["first", "second"]);
});

it("stays with the fall-back for the rest of the run, and starts the next run with the first", async () => {
  const { run, model } = world([
    { error: "model_quota" },
    { calls: [{ name: "nothing" }] },
    { text: "Done." },
    { text: "Again." },
  ]);
  await run("go");
  await run("go on");
  expect(model.requests.map((request) => request.model)).toEqual(["first", "second", "second", "first"]);
});

it("gives up when no model is left", async () => {
  const { run, model } = world([
    { error: "model_quota" },
    { error: "model_quota", message: "Nothing left here either." },
  ]);
  expect(await run("go")).toMatchObject({ reason: "failed", error: { message: "Nothing left here either." } });
  model.assertDone();
});

it("does not take another model for a fault of the request", async () => {
  const { run, model } = world([{ error: "model_rejected" }]);
  expect(await run("go")).toMatchObject({ reason: "failed", error: { code: "model_rejected" } });
  model.assertDone();
});
