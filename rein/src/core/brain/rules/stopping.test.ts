import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import { type BenchWorldOptions, createBenchWorld } from "../../testing/bench-world.ts";
import { createVirtualClock, settle } from "../../testing/virtual-clock.ts";

const world = (options: Omit<BenchWorldOptions, "store" | "clock">) => {
  const clock = createVirtualClock();
  return createBenchWorld({ store: createMemoryStore({ now: clock.now }), clock, ...options });
};

it("keeps the text of a message that was being streamed, and ends the run", async () => {
  const { start, send, data, types, clock, messages, run } = world({ script: [{ hang: "Half a" }, { text: "Done." }] });
  const { end } = await start("go");
  await send({ kind: "interrupt" });
  await clock.advance(100);
  expect((await end).reason).toBe("interrupted");
  expect(await types(7)).toEqual(["model.requested", "run.interrupted", "model.interrupted", "run.ended"]);
  expect(await data("model.interrupted")).toEqual([{ turn: 1, text: "Half a", by: "interrupt" }]);
  await run("never mind");
  expect(messages(1)).toEqual([
    { role: "user", content: [{ type: "text", text: "go" }] },
    { role: "assistant", content: [{ type: "text", text: "Half a" }] },
    {
      role: "developer",
      content: [
        { type: "text", text: "[The message above was cut off by an interrupt. What follows does not repeat it.]" },
      ],
    },
    { role: "user", content: [{ type: "text", text: "never mind" }] },
  ]);
});

it("says in the next request that it follows an interrupt", async () => {
  const { start, run, send, data, clock } = world({ script: [{ hang: "" }, { text: "Done." }] });
  const { end } = await start("go");
  await send({ kind: "interrupt" });
  await clock.advance(100);
  await end;
  await run("never mind");
  expect((await data("model.requested")).map((request) => Object(request).transition)).toEqual([
    "start",
    "interrupted",
  ]);
});

it("closes calls that have not begun, waits for those that have, and pairs each with a result", async () => {
  const aborted: string[] = [];
  const { start, run, send, types, data, messages } = world({
    script: [
      {
        calls: [
          { name: "act", input: { n: 1 } },
          { name: "act", input: { n: 2 } },
        ],
      },
      { text: "Done." },
    ],
    tools: {
      act: {
        run: async (call, { signal }) => {
          await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
          aborted.push(String(call.input.n));
          return "too late";
        },
      },
    },
  });
  const { end } = await start("go");
  await send({ kind: "interrupt" });
  expect((await end).reason).toBe("interrupted");
  expect(aborted).toEqual(["1"]);
  expect(await types(9)).toEqual([
    "call.judged",
    "call.judged",
    "tool.started",
    "run.interrupted",
    "tool.finished",
    "tool.finished",
    "run.ended",
  ]);
  expect(await data("tool.finished")).toMatchObject([
    { call: "8.1", outcome: "interrupted" },
    { call: "8.0", outcome: "interrupted" },
  ]);
  await run("never mind, list files");
  expect(messages(1)?.slice(1)).toMatchObject([
    { role: "assistant", content: [{ id: "t1_0" }, { id: "t1_1" }] },
    {
      role: "tool",
      content: [
        { id: "t1_0", isError: true, errorType: "interrupted" },
        { id: "t1_1", isError: true, errorType: "interrupted" },
      ],
    },
    { role: "user", content: [{ type: "text", text: "never mind, list files" }] },
  ]);
});

it("leaves a tool that does not end when told to, and says that its outcome is unknown", async () => {
  const { start, send, data, clock } = world({
    script: [{ calls: [{ name: "act" }] }],
    tools: { act: { run: () => new Promise<string>(() => undefined) } },
  });
  const { end } = await start("go");
  await send({ kind: "interrupt" });
  await clock.advance(9_999);
  expect(await data("tool.finished")).toEqual([]);
  await clock.advance(1);
  expect((await end).reason).toBe("interrupted");
  expect(await data("tool.finished")).toMatchObject([
    { outcome: "unknown", errorType: "outcome_unknown", duration: 10_000 },
  ]);
});

it("leaves a model that does not listen", async () => {
  const { start, send, clock, data } = world({
    model: {
      id: "deaf",
      capabilities: () => ({ images: false, documents: false, parallelCalls: false }),
      async *stream() {
        yield { type: "text_delta", index: 0, text: "on and on" } as const;
        await new Promise(() => undefined);
      },
    },
  });
  const { end } = await start("go");
  await send({ kind: "interrupt" });
  await clock.advance(99);
  expect(await data("model.interrupted")).toEqual([]);
  await clock.advance(1);
  expect((await end).reason).toBe("interrupted");
  expect(await data("model.interrupted")).toEqual([{ turn: 1, text: "on and on", by: "interrupt" }]);
});

it("closes a call that waits for a person", async () => {
  const { start, send, data, parts } = world({
    script: [{ calls: [{ name: "act" }] }],
    tools: { act: { decision: "ask" } },
  });
  const { end } = await start("go", { stay: true });
  await send({ kind: "interrupt" });
  expect((await end).reason).toBe("interrupted");
  expect(await data("tool.finished")).toMatchObject([
    {
      call: "8.0",
      outcome: "interrupted",
      content: [
        {
          text: "act: interrupted. It was interrupted before it ran; it had no effect. Do it again only if it is still wanted.",
        },
      ],
    },
  ]);
  expect(parts.map((part) => part.type)).toContain("tool_result");
});

it("ends a killed run and terminates the session", async () => {
  const { start, send, clock, run, data, types } = world({ script: [{ hang: "" }] });
  const { end } = await start("go");
  await send({ kind: "kill", reason: "enough" });
  await clock.advance(100);
  expect(await end).toMatchObject({ reason: "killed", state: { kernel: { terminated: true } } });
  expect(await types(8)).toEqual(["run.killed", "model.interrupted", "run.ended"]);
  await send({ kind: "approve", call: "8.0" });
  expect((await run()).reason).toBe("killed");
  expect(await data("command.refused")).toMatchObject([{ kind: "approve", call: "8.0" }]);
});

it("does not let an interrupt soften a kill", async () => {
  const { start, send, clock } = world({ script: [{ hang: "" }] });
  const { end } = await start("go");
  await send({ kind: "kill", reason: "enough" });
  await settle();
  await send({ kind: "interrupt" });
  await clock.advance(100);
  expect((await end).reason).toBe("killed");
});
