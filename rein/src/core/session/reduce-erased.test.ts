import { expect, it } from "vitest";
import { createMemoryStore } from "../../store/memory.ts";
import { unwrap } from "../errors.ts";
import { type BenchWorldOptions, createBenchWorld } from "../testing/bench-world.ts";
import { pairingFaults } from "../testing/simulation/invariants/pairing.ts";
import { createVirtualClock } from "../testing/virtual-clock.ts";

const world = (options: Omit<BenchWorldOptions, "store" | "clock">) => {
  const clock = createVirtualClock();
  return createBenchWorld({ store: createMemoryStore({ now: clock.now }), clock, ...options });
};

const session = () =>
  world({
    script: [{ text: "I look.", calls: [{ name: "look" }] }, { text: "Done." }, { text: "Again." }],
    tools: { look: { readOnly: true, run: () => "the secret" } },
  });

it.each([
  ["an input", 3, "user"],
  ["a message with calls", 8, "assistant"],
  ["a result", 11, "tool"],
])("goes on after %s was erased, with [erased] or a stated result in its place", async (_name, seq, role) => {
  const { run, store, model } = session();
  await run("the secret");
  unwrap(await store.erase("s1", seq));
  expect((await run("go on")).reason).toBe("done");
  const messages = model.requests[2]?.messages ?? [];
  expect(pairingFaults(messages)).toEqual([]);
  expect(messages.map((message) => message.role)).toContain(role);
  expect(messages.at(-1)).toEqual({ role: "user", content: [{ type: "text", text: "go on" }] });
});

it.each([3, 6, 8, 9, 11, 13])("keeps every later request well-formed after event %i was erased", async (seq) => {
  const { run, store, model } = session();
  await run("go");
  unwrap(await store.erase("s1", seq));
  await run("go on");
  for (const { messages } of model.requests.slice(2)) {
    expect(pairingFaults(messages).filter((fault) => !fault.startsWith("it begins"))).toEqual([]);
  }
});

it.each([1, 2, 4, 5, 7, 10, 12, 14])("does not erase event %i, by which recovery goes, and says so", async (seq) => {
  const { run, store } = session();
  await run("go");
  const { data, type } = unwrap(await store.read("s1", { from: seq, to: seq }))[0] ?? {};
  expect(await store.erase("s1", seq)).toMatchObject({
    ok: false,
    error: {
      code: "invalid_option",
      message: `Event ${seq} of session "s1" is a ${type}: without it the session could not be resumed rightly, so it is not erased.`,
    },
  });
  expect(unwrap(await store.read("s1", { from: seq, to: seq }))[0]?.data).toBe(data);
});

it("starts no run for an input that was erased before anybody took it in", async () => {
  const { run, send, store, model } = world({ script: [] });
  await run(undefined, { first: [{ type: "run.paused", data: { commandId: "p" } }] });
  await run("the secret");
  unwrap(await store.erase("s1", 5));
  await send({ kind: "resume" });
  expect((await run()).reason).toBe("idle");
  expect(model.requests).toEqual([]);
});

it("does not ask again for a message that was erased", async () => {
  const { run, store, model, data } = world({ script: [{ text: "The secret." }] });
  await run("go");
  unwrap(await store.erase("s1", 8));
  expect((await run()).reason).toBe("done");
  expect(model.requests).toHaveLength(1);
  expect(await data("model.requested")).toHaveLength(1);
});
