import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import { unwrap } from "../../errors.ts";
import { type BenchWorldOptions, createBenchWorld } from "../../testing/bench-world.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";

const world = (options: Omit<BenchWorldOptions, "store" | "clock">) => {
  const clock = createVirtualClock();
  return createBenchWorld({ store: createMemoryStore({ now: clock.now }), clock, ...options });
};

const ASKED = { calls: [{ name: "act", input: { path: "a" } }] };
const ACT = { act: { decision: "ask" as const, run: () => "did it" } };

it("answers a denied call with the reason and lets the run go on", async () => {
  const { run, types, messages } = world({ script: [ASKED, { text: "Done." }], tools: { act: { decision: "deny" } } });
  await run("go");
  expect(await types(8)).toEqual([
    "model.responded",
    "call.judged",
    "tool.finished",
    "model.requested",
    "model.responded",
    "run.ended",
  ]);
  expect(messages(1)?.at(-1)).toEqual({
    role: "tool",
    content: [
      {
        type: "tool_result",
        id: "t1_0",
        content: [{ type: "text", text: "act: denied. The fake says no." }],
        isError: true,
        errorType: "denied",
      },
    ],
  });
});

it("asks a person, gives the session back meanwhile, and runs the call once it is approved", async () => {
  const { run, send, types, parts, data } = world({ script: [ASKED, { text: "Done." }], tools: ACT });
  const end = await run("go");
  expect(end.reason).toBe("waiting");
  expect(await types(8)).toEqual(["model.responded", "call.judged", "approval.requested"]);
  const [asked] = parts.filter((part) => part.type === "approval_requested");
  expect(asked).toMatchObject({ call: "8.0", shows: 'act {"path":"a"}' });
  await send({ kind: "approve", call: "8.0", digest: Object(asked).digest });
  expect((await run()).reason).toBe("done");
  expect(await types(11)).toEqual([
    "brain.woke",
    "approval.answered",
    "tool.started",
    "tool.finished",
    "model.requested",
    "model.responded",
    "run.ended",
  ]);
  expect(await data("tool.finished")).toMatchObject([{ outcome: "ok", content: [{ text: "did it" }] }]);
});

it("tells the model what the person who said no said", async () => {
  const { run, send, messages } = world({ script: [ASKED, { text: "Done." }], tools: ACT });
  await run("go");
  await send({ kind: "deny", call: "8.0", note: "use b" });
  await run();
  expect(messages(1)?.at(-1)).toMatchObject({
    role: "tool",
    content: [
      {
        isError: true,
        errorType: "denied",
        content: [
          {
            text: "act: denied. A person said no to this call. They said: use b Do not repeat it; find another way or ask what they want.",
          },
        ],
      },
    ],
  });
});

it("asks anew after a resume, bound to the same arguments, and runs nothing meanwhile", async () => {
  const { run, data, types, parts } = world({ script: [ASKED], tools: ACT });
  await run("go");
  expect((await run()).reason).toBe("waiting");
  expect(await types(10)).toEqual(["approval.requested", "brain.woke", "approval.requested"]);
  const [first, second] = await data("approval.requested");
  expect(second).toEqual(first);
  expect(parts.filter((part) => part.type === "approval_requested")).toHaveLength(2);
});

it("asks anew when the process died while it waited", async () => {
  const { start, run, types } = world({ script: [ASKED], tools: ACT });
  await start("go", { stay: true });
  expect((await run(undefined, { steal: true })).reason).toBe("waiting");
  expect(await types(8)).toEqual([
    "model.responded",
    "call.judged",
    "approval.requested",
    "brain.woke",
    "approval.requested",
  ]);
});

it("does not ask anew for what has been answered while nobody drove the session", async () => {
  const { run, send, data } = world({ script: [ASKED, { text: "Done." }], tools: ACT });
  await run("go");
  await send({ kind: "approve", call: "8.0" });
  await run();
  expect(await data("approval.requested")).toHaveLength(1);
});

it("stays and goes on with the answer where the caller wants it to", async () => {
  const { start, send, parts } = world({ script: [ASKED, { text: "Done." }], tools: ACT });
  const { end } = await start("go", { stay: true });
  await send({ kind: "approve", call: "8.0" });
  expect((await end).reason).toBe("done");
  expect(parts.filter((part) => part.type === "approval_answered")).toEqual([
    { type: "approval_answered", call: "8.0", answer: "approve" },
  ]);
});

it("records a second and a late answer as refused", async () => {
  const { start, send, data, run } = world({ script: [ASKED, { text: "Done." }], tools: ACT });
  const { end } = await start("go", { stay: true });
  await send({ kind: "approve", call: "8.0" });
  await end;
  await send({ kind: "deny", call: "8.0" });
  await run();
  expect(await data("command.refused")).toEqual([
    { commandId: "c2", kind: "deny", reason: "No such call is open.", call: "8.0" },
  ]);
});

it("records an answer to another call than was asked about as refused, and goes on waiting", async () => {
  const { run, send, data } = world({ script: [ASKED], tools: ACT });
  await run("go");
  await send({ kind: "approve", call: "8.0", digest: "0".repeat(64) });
  expect((await run()).reason).toBe("waiting");
  expect(await data("command.refused")).toEqual([
    {
      commandId: "c1",
      kind: "approve",
      reason: "The answer is for another call: the digest differs.",
      call: "8.0",
    },
  ]);
  expect(await data("tool.started")).toEqual([]);
});

it("denies what waits for a person when nobody can be asked any more", async () => {
  const { run, send, data } = world({ script: [ASKED, { text: "Done." }], tools: ACT });
  await run("go");
  await send({ kind: "settings", change: { ask: "deny" } });
  expect((await run()).reason).toBe("done");
  expect(await data("tool.finished")).toMatchObject([
    {
      outcome: "denied",
      content: [
        {
          text: "act: denied. It needs a person's permission and nobody can be asked. Find another way, and say what you could not do.",
        },
      ],
    },
  ]);
});

it("runs nothing of a message that was erased while its call waited", async () => {
  const { run, store, data, messages, send } = world({ script: [ASKED, { text: "Done." }], tools: ACT });
  await run("go");
  unwrap(await store.erase("s1", 8));
  await send({ kind: "approve", call: "8.0" });
  expect((await run("go on")).reason).toBe("done");
  expect(await data("tool.started")).toEqual([]);
  expect(await data("command.refused")).toMatchObject([{ kind: "approve", reason: "No such call is open." }]);
  expect(messages(1)).toMatchObject([
    { role: "user" },
    { role: "assistant", content: [{ text: "[erased]" }] },
    { role: "user", content: [{ text: "go on" }] },
  ]);
});

it("judges and asks again when the judgement was erased while the call waited", async () => {
  const { run, store, types } = world({ script: [ASKED], tools: ACT });
  await run("go");
  unwrap(await store.erase("s1", 9));
  expect((await run()).reason).toBe("waiting");
  expect(await types(11)).toEqual(["brain.woke", "call.judged", "approval.requested"]);
});
