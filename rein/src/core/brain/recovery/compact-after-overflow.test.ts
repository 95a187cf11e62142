import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import { definePart, type Runner } from "../../session/index.ts";
import { type BenchWorldOptions, createBenchWorld } from "../../testing/bench-world.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";

/** A part that compacts all but the newest entry into a line. */
const compactor = (runner: Runner) =>
  definePart({
    name: "compactor",
    events: {},
    initial: null,
    reduce: (slice) => slice,
    rules: [],
    runners: () => ({ compact: runner }),
  });

const summarise: Runner = {
  start: (effect, context) => ({
    go: async () => {
      const items = context.state().kernel.history.length;
      const { transition } = effect.input;
      return [{ type: "history.compacted", data: { items, summary: "Much was said.", transition } }];
    },
  }),
};

const world = (script: NonNullable<BenchWorldOptions["script"]>, runner?: Runner) => {
  const clock = createVirtualClock();
  return createBenchWorld({
    store: createMemoryStore({ now: clock.now }),
    clock,
    script,
    ...(runner !== undefined && { parts: [compactor(runner)] }),
  });
};

it("compacts once and asks again in the same turn", async () => {
  const { run, types, data, messages } = world([{ error: "context_overflow" }, { text: "Done." }], summarise);
  expect((await run("go")).reason).toBe("done");
  expect(await types(7)).toEqual([
    "model.requested",
    "model.failed",
    "history.compacted",
    "model.requested",
    "model.responded",
    "run.ended",
  ]);
  expect(await data("model.requested")).toMatchObject([
    { turn: 1, attempt: 1, transition: "start" },
    { turn: 1, attempt: 2, transition: "compact_retry" },
  ]);
  expect(messages(1)).toEqual([
    { role: "user", content: [{ type: "text", text: "[Summary of what came before]\nMuch was said." }] },
  ]);
});

it("does not compact twice in one turn", async () => {
  const { run, model, data } = world([{ error: "context_overflow" }, { error: "context_overflow" }], summarise);
  expect(await run("go")).toMatchObject({ reason: "failed", error: { code: "context_overflow" } });
  model.assertDone();
  expect(await data("history.compacted")).toHaveLength(1);
});

it("opens its lock after normal progress", async () => {
  const overflow = { error: "context_overflow" } as const;
  const { run, data } = world([overflow, { calls: [{ name: "nothing" }] }, overflow, { text: "Done." }], summarise);
  expect((await run("go")).reason).toBe("done");
  expect(await data("history.compacted")).toHaveLength(2);
});

it("gives up with the overflow when nothing here can compact", async () => {
  const { run, types } = world([{ error: "context_overflow", message: "200,001 tokens." }]);
  expect(await run("go")).toMatchObject({ reason: "failed", error: { message: "200,001 tokens." } });
  expect(await types(7)).toEqual(["model.requested", "model.failed", "effect.failed", "run.ended"]);
});

it("gives up with the overflow when the compaction fails, and leaves the history as it was", async () => {
  const { run, types } = world([{ error: "context_overflow" }], {
    start: () => ({ go: () => Promise.reject(new Error("The summary was cut.")) }),
  });
  const end = await run("go");
  expect(end).toMatchObject({ reason: "failed", error: { code: "context_overflow" } });
  expect(end.state.kernel.history.toJSON()).toEqual([{ kind: "input", seq: 3 }]);
  expect(await types(9)).toEqual(["effect.failed", "run.ended"]);
});
