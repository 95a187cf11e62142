import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import { unwrap } from "../../errors.ts";
import type { Model, Redact } from "../../ports.ts";
import { type BenchWorldOptions, createBenchWorld } from "../../testing/bench-world.ts";
import { createVirtualClock, settle } from "../../testing/virtual-clock.ts";
import { wrapStore } from "../../testing/wrap-store.ts";

const world = (options: Omit<BenchWorldOptions, "store" | "clock">) => {
  const clock = createVirtualClock();
  return createBenchWorld({ store: createMemoryStore({ now: clock.now }), clock, ...options });
};

const capabilities = () => ({ images: false, documents: false, parallelCalls: false });

/** Knows one secret; whole texts only. */
const redact: Redact = {
  active: true,
  text: (text) => text.replaceAll("hunter2", "[secret:PW]"),
  value: (value) => JSON.parse(JSON.stringify(value).replaceAll("hunter2", "[secret:PW]")),
  stream: () => ({ push: (text) => text.replaceAll("hunter2", "[secret:PW]"), flush: () => "" }),
  marks: () => [],
};

it("sends system, tools and the whole history; each request extends the one before", async () => {
  const { run, model } = world({
    script: [{ text: "I look.", calls: [{ name: "look" }] }, { text: "One." }, { text: "Two." }],
    tools: { look: { readOnly: true } },
  });
  await run("one");
  await run("two");
  expect(model.requests.map(({ messages }) => messages.length)).toEqual([1, 3, 5]);
  for (const [index, request] of model.requests.entries()) {
    const next = model.requests[index + 1];
    if (next === undefined) continue;
    expect(next.system).toBe(request.system);
    expect(next.tools).toEqual(request.tools);
    expect(JSON.stringify(next.messages.slice(0, request.messages.length))).toBe(JSON.stringify(request.messages));
  }
  expect(model.requests[2]?.trace).toEqual({ session: "s1", turn: 3, attempt: 1 });
});

it("renders the same prompt in another process", async () => {
  const { run, model, start } = world({
    script: [{ text: "I look.", calls: [{ name: "look" }] }, { hang: "" }, { text: "One." }],
    tools: { look: { readOnly: true } },
  });
  await start("one");
  await run(undefined, { steal: true });
  expect(JSON.stringify(model.requests[2]?.messages)).toBe(JSON.stringify(model.requests[1]?.messages));
});

it("keeps secrets out of log, prompt and stream", async () => {
  const { run, store, model, parts } = world({
    redact,
    script: [{ text: "It is hunter2.", calls: [{ name: "act", input: { password: "hunter2" } }] }, { text: "Done." }],
    tools: { act: { run: (call) => `used ${call.input.password}` } },
  });
  await run("the password is hunter2");
  const log = unwrap(await store.read("s1")).map((event) => event.data);
  expect(JSON.stringify([log, model.requests, parts])).not.toContain("hunter2");
  expect(model.requests[1]?.messages.at(-1)?.content).toMatchObject([{ content: [{ text: "used [secret:PW]" }] }]);
});

it("drops a signed block that holds a secret whole, and keeps the others byte for byte", async () => {
  const good = { type: "thinking", text: "Fine.", signature: "s2", vendor: "v" } as const;
  const { run, data } = world({
    redact,
    script: [
      {
        content: [
          { type: "thinking", text: "It is hunter2.", signature: "s1", vendor: "v" },
          { type: "thinking", text: "Plain hunter2." },
          good,
          { type: "text", text: "Done." },
        ],
      },
    ],
  });
  await run("go");
  expect(await data("model.responded")).toMatchObject([
    { content: [{ type: "thinking", text: "Plain [secret:PW]." }, good, { type: "text", text: "Done." }] },
  ]);
});

it("takes a stream that ends without its end for a transient fault, and keeps nothing of it", async () => {
  const { run, data, messages } = world({ script: [{ cut: "Half" }, { text: "Whole." }] });
  expect(await run("go")).toMatchObject({ reason: "done", text: "Whole." });
  expect(await data("model.failed")).toMatchObject([{ error: { code: "model_stream_cut", class: "transient" } }]);
  expect(messages(1)).toEqual(messages(0));
});

it("turns what an adapter throws into a fault of the protocol", async () => {
  const model: Model = {
    id: "bad",
    capabilities,
    stream: () => {
      throw new TypeError("fetch failed");
    },
  };
  const { run } = world({ model });
  expect(await run("go")).toMatchObject({
    reason: "failed",
    error: { code: "model_protocol", message: "fetch failed" },
  });
});

it("ends the run when the captured head of the prompt is gone", async () => {
  const clock = createVirtualClock();
  const store = createMemoryStore({ now: clock.now });
  const first = createBenchWorld({ store, clock, script: [{ text: "Done." }] });
  await first.run("go");
  const blob = Object((await first.data("context.captured"))[0]).blob;
  unwrap(await store.erase("s1", 3, { blobs: [blob] }));
  const second = createBenchWorld({ store, clock, script: [] });
  expect(await second.run("go on")).toMatchObject({
    reason: "failed",
    error: { code: "store_damaged", message: "The captured head of the prompt is missing." },
  });
});

it("reports what the vendor said of itself", async () => {
  const { run, data } = world({ script: [{ text: "Done.", usage: { input: 7, output: 3, reasoning: 1 } }] });
  await run("go");
  expect(await data("model.responded")).toEqual([
    {
      turn: 1,
      content: [{ type: "text", text: "Done." }],
      stop: "end",
      usage: { input: 7, output: 3, reasoning: 1 },
      duration: 0,
      vendor: "scripted",
    },
  ]);
});

it("captures the head again when its event was erased", async () => {
  const clock = createVirtualClock();
  const store = createMemoryStore({ now: clock.now });
  const { run, data } = createBenchWorld({ store, clock, script: [{ text: "One." }, { text: "Two." }] });
  await run("one");
  unwrap(await store.erase("s1", 6));
  expect((await run("two")).reason).toBe("done");
  expect(await data("context.captured")).toMatchObject([null, { source: "system" }]);
});

it("asks for nothing when it is aborted while the prompt is being made", async () => {
  const clock = createVirtualClock();
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const store = wrapStore(createMemoryStore({ now: clock.now }), {
    around: async (method, go) => {
      if (method === "blob") await gate;
      return go();
    },
  });
  const { start, model, data } = createBenchWorld({ store, clock, script: [{ text: "Done." }] });
  const { stream, end } = await start("go");
  void stream.return();
  await settle();
  open();
  expect((await end).reason).toBe("interrupted");
  expect(model.requests).toEqual([]);
  expect(await data("model.interrupted")).toEqual([{ turn: 1, text: "", by: "interrupt" }]);
});
