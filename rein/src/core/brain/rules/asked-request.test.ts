import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import { definePart, type Rule } from "../../session/index.ts";
import { type BenchWorldOptions, createBenchWorld } from "../../testing/bench-world.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";
import { effectRules, turnRules } from "./index.ts";

const world = (options: Omit<BenchWorldOptions, "store" | "clock">) => {
  const clock = createVirtualClock();
  return createBenchWorld({ store: createMemoryStore({ now: clock.now }), clock, ...options });
};

it("makes one more request for a hook that holds the end up, and shows its text to the model", async () => {
  const hook = definePart({
    name: "hook",
    events: {},
    initial: null,
    reduce: (slice) => slice,
    rules: [],
    runners: () => ({
      hook: {
        start: () => ({ outcome: [{ type: "run.blocked", data: { source: "tests", text: "Two tests fail." } }] }),
      },
    }),
  });
  const holdUp: Rule = {
    name: "hold-up",
    decide: ({ kernel }) =>
      kernel.model.phase === "responded" &&
      !kernel.model.hadCalls &&
      kernel.next === null &&
      kernel.recovery.blocks === 0
        ? { want: [{ id: `hook:${kernel.model.turn}`, kind: "hook", input: {} }], hold: true }
        : undefined,
  };
  const { run, data, messages, parts } = world({
    script: [{ text: "Done." }, { text: "Really done." }],
    parts: [hook],
    rules: [...effectRules, holdUp, ...turnRules],
  });
  expect(await run("go")).toMatchObject({ reason: "done", text: "Really done." });
  expect(messages(1)?.slice(1)).toEqual([
    { role: "assistant", content: [{ type: "text", text: "Done." }] },
    { role: "developer", content: [{ type: "text", text: "Two tests fail." }] },
  ]);
  expect(await data("model.requested")).toMatchObject([
    { turn: 1, transition: "start" },
    { turn: 2, transition: "hook_blocking" },
  ]);
  expect(parts).toContainEqual({ type: "notice", kind: "hook_blocking", text: "Two tests fail." });
});
