import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import { type BenchWorldOptions, createBenchWorld } from "../../testing/bench-world.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";

const world = (options: Omit<BenchWorldOptions, "store" | "clock">) => {
  const clock = createVirtualClock();
  return createBenchWorld({ store: createMemoryStore({ now: clock.now }), clock, ...options });
};

it("starts nothing without an input, and gives the session back", async () => {
  const { run, send, types } = world({ script: [{ text: "Done." }] });
  await run("go");
  await send({ kind: "settings", change: { ask: "deny" } });
  const end = await run();
  expect(end.reason).toBe("done");
  expect(await types(10)).toEqual(["brain.woke", "settings.changed"]);
});

it("starts a run with the oldest input", async () => {
  const { run, messages, types } = world({ script: [{ text: "Done." }, { text: "Again." }] });
  await run("one");
  await run("two");
  expect(messages(1)?.at(-1)).toEqual({ role: "user", content: [{ type: "text", text: "two" }] });
  expect(await types(10)).toEqual([
    "brain.woke",
    "input.received",
    "run.started",
    "model.requested",
    "model.responded",
    "run.ended",
  ]);
});

it("starts nothing while the session is paused; a resume starts what waits", async () => {
  const { run, send, types } = world({ script: [{ text: "Done." }, { text: "Again." }] });
  await run("one");
  await send({ kind: "pause" });
  const end = await run("two");
  expect(end.reason).toBe("paused");
  await send({ kind: "resume" });
  expect((await run()).reason).toBe("done");
  expect(await types(10)).toEqual([
    "brain.woke",
    "input.received",
    "run.paused",
    "brain.woke",
    "run.resumed",
    "run.started",
    "model.requested",
    "model.responded",
    "run.ended",
  ]);
});

it("starts nothing in a terminated session, and refuses what is sent to it", async () => {
  const { run, send, data } = world({ script: [{ text: "Done." }] });
  await run("one");
  await send({ kind: "kill", reason: "enough" });
  await run();
  const end = await run("two");
  expect(end.reason).toBe("killed");
  expect(await data("command.refused")).toMatchObject([{ kind: "input", reason: "The session is terminated." }]);
  expect(await data("run.started")).toEqual([{ run: 1 }]);
});

it("goes on with an unfinished run when told to, and with nothing else", async () => {
  const { run, send, messages, data } = world({
    settings: { limits: { maxTurns: 1 } },
    script: [{ calls: [{ name: "gone" }] }, { text: "Done." }],
  });
  expect((await run("one")).reason).toBe("max_turns");
  expect((await run()).reason).toBe("max_turns");
  expect(await data("run.started")).toEqual([{ run: 1 }]);
  await send({ kind: "resume" });
  expect((await run()).reason).toBe("done");
  expect(messages(1)?.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
  await send({ kind: "resume" });
  await run();
  expect(await data("run.started")).toEqual([{ run: 1 }, { run: 2 }]);
  expect(await data("command.refused")).toMatchObject([{ kind: "resume", reason: "The session is completed." }]);
});

it("goes on once: what was told to go on and is interrupted at once stays at rest", async () => {
  const { run, send, data } = world({ settings: { limits: { maxTurns: 1 } }, script: [{ calls: [{ name: "gone" }] }] });
  await run("one");
  await send({ kind: "resume" });
  await send({ kind: "pause" });
  expect((await run()).reason).toBe("paused");
  await send({ kind: "interrupt" });
  await run();
  expect(await data("run.started")).toEqual([{ run: 1 }]);
});
