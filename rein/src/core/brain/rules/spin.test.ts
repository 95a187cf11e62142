import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import { type BenchWorldOptions, createBenchWorld } from "../../testing/bench-world.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";

const world = (options: Omit<BenchWorldOptions, "store" | "clock">) => {
  const clock = createVirtualClock();
  return createBenchWorld({ store: createMemoryStore({ now: clock.now }), clock, ...options });
};

const same = { calls: [{ name: "look", input: { at: "a" } }] };
const tools = { look: { readOnly: true }, other: { readOnly: true } };

it("reports the third identical call in a row to the model, and ends the run when it goes on", async () => {
  const { run, model, messages, data } = world({ script: [same, same, same, same], tools });
  expect(await run("go")).toMatchObject({ reason: "spinning" });
  model.assertDone();
  expect(await data("notice.added")).toHaveLength(1);
  expect(messages(3)?.at(-1)).toEqual({
    role: "developer",
    content: [
      {
        type: "text",
        text: "You have made the same call with the same arguments three times in a row. Its result will not change. Say what you expected, then try something else or finish.",
      },
    ],
  });
  expect((await data("model.requested")).map((request) => Object(request).transition)).toEqual([
    "start",
    "next_turn",
    "next_turn",
    "spinning",
  ]);
});

it("counts the calls of one message too", async () => {
  const calls = [same.calls[0], same.calls[0], same.calls[0]].flatMap((call) => call ?? []);
  const { run, model, data } = world({ script: [{ calls }, same], tools });
  expect((await run("go")).reason).toBe("spinning");
  model.assertDone();
  expect(await data("notice.added")).toMatchObject([{ kind: "spinning", transition: "spinning" }]);
});

it("lets the model go on when it does something else after the report", async () => {
  const { run, data } = world({
    script: [same, same, same, { calls: [{ name: "other" }] }, same, same, { text: "Done." }],
    tools,
  });
  expect((await run("go")).reason).toBe("done");
  expect(await data("notice.added")).toHaveLength(1);
});

it("does not count calls with other arguments, or with another call between", async () => {
  const { run, data } = world({
    script: [same, same, { calls: [{ name: "look", input: { at: "b" } }] }, same, same, { text: "Done." }],
    tools,
  });
  expect((await run("go")).reason).toBe("done");
  expect(await data("notice.added")).toEqual([]);
});

it("counts anew in each run", async () => {
  const { run, data } = world({ script: [same, same, { text: "One." }, same, same, { text: "Two." }], tools });
  await run("one");
  expect((await run("two")).reason).toBe("done");
  expect(await data("notice.added")).toEqual([]);
});

it("counts denied calls", async () => {
  const { run } = world({ script: [same, same, same, same], tools: { look: { decision: "deny" } } });
  expect((await run("go")).reason).toBe("spinning");
});
