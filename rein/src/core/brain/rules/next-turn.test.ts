import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import { type BenchWorldOptions, createBenchWorld } from "../../testing/bench-world.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";

const world = (options: Omit<BenchWorldOptions, "store" | "clock">) => {
  const clock = createVirtualClock();
  return createBenchWorld({ store: createMemoryStore({ now: clock.now }), clock, ...options });
};

it("makes the next turn once every call has its result", async () => {
  const { run, data } = world({ script: [{ calls: [{ name: "nothing" }] }, { text: "Done." }] });
  await run("go");
  expect(await data("model.requested")).toMatchObject([
    { turn: 1, attempt: 1, transition: "start" },
    { turn: 2, attempt: 1, transition: "next_turn" },
  ]);
});

it("asks again when the provider paused its turn", async () => {
  const { run, data, messages } = world({ script: [{ text: "Searching", stop: "pause" }, { text: "Done." }] });
  expect(await run("go")).toMatchObject({ reason: "done", text: "Done." });
  expect((await data("model.requested")).map((request) => Object(request).transition)).toEqual(["start", "next_turn"]);
  expect(messages(1)?.at(-1)).toEqual({ role: "assistant", content: [{ type: "text", text: "Searching" }] });
});

it("takes a steering message in before the next request, behind the results", async () => {
  const clock = createVirtualClock();
  const { start, send, messages, data } = createBenchWorld({
    store: createMemoryStore({ now: clock.now }),
    clock,
    script: [{ calls: [{ name: "look" }] }, { text: "Done." }],
    tools: { look: { run: () => clock.sleep(1_000).then(() => "seen") } },
  });
  const { end } = await start("go");
  await send({ kind: "input", mode: "steer", content: [{ type: "text", text: "look at b too" }] });
  expect(await data("model.requested")).toHaveLength(1);
  await clock.advance(1_000);
  expect((await end).reason).toBe("done");
  expect(messages(1)?.slice(1)).toMatchObject([
    { role: "assistant" },
    { role: "tool" },
    { role: "user", content: [{ type: "text", text: "look at b too" }] },
  ]);
  expect(await data("model.requested")).toMatchObject([{ takes: [3] }, { takes: [11], transition: "next_turn" }]);
});

it("makes another turn for a steering message that comes while the model answers", async () => {
  const clock = createVirtualClock();
  const { start, send, messages } = createBenchWorld({
    store: createMemoryStore({ now: clock.now }),
    clock,
    script: [{ text: "Done.", pace: () => clock.sleep(1_000) }, { text: "Both done." }],
  });
  const { end } = await start("go");
  await send({ kind: "input", mode: "steer", content: [{ type: "text", text: "and b" }] });
  await clock.advance(1_000);
  expect(await end).toMatchObject({ reason: "done", text: "Both done." });
  expect(messages(1)?.map((message) => message.role)).toEqual(["user", "assistant", "user"]);
});

it("takes all steering messages at once, in the order they came", async () => {
  const clock = createVirtualClock();
  const { start, send, messages } = createBenchWorld({
    store: createMemoryStore({ now: clock.now }),
    clock,
    script: [{ calls: [{ name: "look" }] }, { text: "Done." }],
    tools: { look: { run: () => clock.sleep(1_000).then(() => "seen") } },
  });
  const { end } = await start("go");
  await send({ kind: "input", mode: "steer", content: [{ type: "text", text: "one" }] });
  await send({ kind: "input", mode: "follow-up", content: [{ type: "text", text: "later" }] });
  await send({ kind: "input", mode: "steer", content: [{ type: "text", text: "two" }] });
  await clock.advance(1_000);
  await end;
  expect(messages(1)?.slice(3)).toEqual([
    { role: "user", content: [{ type: "text", text: "one" }] },
    { role: "user", content: [{ type: "text", text: "two" }] },
  ]);
});
