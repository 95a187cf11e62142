import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import type { Model, ModelStreamPart } from "../../ports.ts";
import { createBenchWorld } from "../../testing/bench-world.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";
import type { Observer } from "../observers.ts";

/** A model that ends with what stands in a JSON text, as an adapter without types may. */
function ending(text: string): Model {
  return {
    id: "odd",
    capabilities: () => ({ images: false, documents: false, parallelCalls: false }),
    async *stream() {
      const part: ModelStreamPart = JSON.parse(text);
      yield part;
    },
  };
}

async function ended(part: object) {
  const clock = createVirtualClock();
  const store = createMemoryStore({ now: clock.now });
  const world = createBenchWorld({ store, clock, model: ending(JSON.stringify({ type: "done", ...part })) });
  return { end: await world.run("go"), responded: await world.data("model.responded") };
}

const text = { type: "text", text: "Hi." };
const usage = { input: 1, output: 1 };

it.each([
  [{ content: "Hi.", stop: "end", usage }, "its content is no list of blocks"],
  [{ content: [null], stop: "end", usage }, "content[0] is no object"],
  [{ content: [{ type: "text" }], stop: "end", usage }, "content[0].text is no text"],
  [
    { content: [text, { type: "tool_use", id: "a", name: "x" }], stop: "tool_use", usage },
    "content[1].input is no object",
  ],
  [{ content: [text], stop: "finished", usage }, 'its stop reason "finished" is none of those known'],
])("refuses an end that a log could not keep: %j", async (part, fault) => {
  const { end, responded } = await ended(part);
  expect(end).toMatchObject({
    reason: "failed",
    error: { code: "model_protocol", message: `The model's end cannot be read: ${fault}.` },
  });
  expect(responded).toEqual([]);
});

it.each([
  [
    { input: -5, output: 3 },
    { input: 0, output: 3, estimated: true },
  ],
  [
    { input: null, output: "7", cost: -1 },
    { input: 0, output: 0, cost: 0, estimated: true },
  ],
  [undefined, { input: 0, output: 0, estimated: true }],
  [
    { input: 1e300, output: 2, cacheRead: 4 },
    { input: 0, output: 2, cacheRead: 4, estimated: true },
  ],
])("counts figures that are none as 0 and says that it estimates: %j", async (said, kept) => {
  const { end, responded } = await ended({ content: [text], stop: "end", usage: said });
  expect(end.reason).toBe("done");
  expect(responded).toMatchObject([{ usage: kept }]);
});

/** A world whose model says these parts, one request after another. */
function saying(...answers: (() => readonly unknown[])[]) {
  const clock = createVirtualClock();
  const model: Model = {
    id: "odd",
    capabilities: () => ({ images: false, documents: false, parallelCalls: false }),
    async *stream(): AsyncGenerator<ModelStreamPart> {
      for (const part of answers.shift()?.() ?? []) yield Object(part);
    },
  };
  return { model, clock, store: createMemoryStore({ now: clock.now }) };
}

const call = (input: object) => ({ type: "tool_use", id: "t", name: "act", input });
const done = (...content: readonly object[]) => [{ type: "done", content, stop: "tool_use", usage }];

it("runs what the log says, whatever the adapter makes of its own objects afterwards", async () => {
  const input = { path: "harmless", inner: { deep: 1 } };
  const ran: unknown[] = [];
  const said = saying(
    () => done(call(input)),
    () => done(text),
  );
  const world = createBenchWorld({
    ...said,
    tools: { act: { run: (pending) => `ran ${ran.push(pending.input)}` } },
  });
  const spoil: Observer = ({ events }) => {
    if (!events.some(({ type }) => type === "model.responded")) return;
    input.path = "evil";
    input.inner.deep = 2;
  };
  expect((await world.run("go", { observe: [spoil] })).reason).toBe("done");
  expect(ran).toEqual([{ path: "harmless", inner: { deep: 1 } }]);
});

it.each([
  ["a number that JSON has not", (input: { n?: unknown }) => Object.assign(input, { n: 1n }), /BigInt/],
  ["itself", (input: { n?: unknown }) => Object.assign(input, { n: input }), /holds itself|circular/],
])("refuses arguments that hold %s", async (_, spoil, why) => {
  const world = createBenchWorld(saying(() => done(call(spoil({})))));
  expect(await world.run("go")).toMatchObject({
    reason: "failed",
    error: { code: "model_protocol", message: expect.stringMatching(why) },
  });
});

it("takes a fault of no known kind for one of the protocol, and no wait for longer than an hour", async () => {
  const odd = createBenchWorld(
    saying(() => [{ type: "error", error: { class: 5, code: "nope", message: "\ud800", hint: {} } }]),
  );
  expect(await odd.run("go")).toMatchObject({
    reason: "failed",
    error: { class: "permanent", code: "model_protocol", message: "\ufffd" },
  });
  const busy = { class: "transient", code: "model_overloaded", message: "Busy.", hint: "Wait." };
  const late = createBenchWorld(
    saying(
      () => [{ type: "error", error: busy, retryAfter: 1e300 }],
      () => done(text),
    ),
  );
  expect((await late.run("go")).reason).toBe("done");
  expect(await late.data("model.failed")).toMatchObject([{ retryAfter: 3_600_000 }]);
});
