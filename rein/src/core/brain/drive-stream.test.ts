import { expect, it } from "vitest";
import { createMemoryStore } from "../../store/memory.ts";
import { ReinFailure, unwrap } from "../errors.ts";
import { type BenchWorldOptions, createBenchWorld, runOut } from "../testing/bench-world.ts";
import { BENCH_OWNER } from "../testing/brain-bench.ts";
import { createVirtualClock, settle } from "../testing/virtual-clock.ts";

const world = (options: Omit<BenchWorldOptions, "store" | "clock">) => {
  const clock = createVirtualClock();
  return createBenchWorld({ store: createMemoryStore({ now: clock.now }), clock, ...options });
};

const long = { text: "a".repeat(1_000), chunk: 1 };

it("starts with the first read", async () => {
  const { bench, store } = world({ script: [{ text: "Done." }] });
  const stream = bench.drive("s1", "go");
  await settle();
  expect(unwrap(await store.head("s1"))).toBeNull();
  await stream.next();
  expect(unwrap(await store.head("s1"))?.seq).toBeGreaterThan(0);
  await stream.finish();
});

it("gives text while the message is still arriving", async () => {
  const { bench, clock, types } = world({
    script: [{ text: "Hello there", chunk: 5, pace: () => clock.sleep(1_000) }],
  });
  const seen: string[] = [];
  const stream = bench.drive("s1", "go");
  const read = (async () => {
    for await (const part of stream) if (part.type === "text_delta") seen.push(part.text);
  })();
  await settle();
  await clock.advance(2_000);
  expect(seen).toEqual(["Hello", " ther"]);
  expect(await types(8)).toEqual([]);
  await runOut(clock, read);
  expect(seen).toEqual(["Hello", " ther", "e"]);
});

it("returns how the drive ended", async () => {
  const { bench } = world({ script: [{ text: "Done." }] });
  const stream = bench.drive("s1", "go");
  let next = await stream.next();
  while (next.done !== true) next = await stream.next();
  expect(next.value).toMatchObject({ reason: "done", text: "Done." });
  expect(await stream.next()).toMatchObject({ done: true, value: { reason: "done" } });
});

it("stops the producer at the bound when its caller stops reading", async () => {
  let given = 0;
  const pace = async (): Promise<void> => {
    given += 1;
  };
  const { bench } = world({ script: [{ ...long, pace }] });
  const stream = bench.drive("s1", "go", { buffer: 10 });
  for (let count = 0; count < 3; count += 1) await stream.next();
  await settle();
  const before = given;
  await settle();
  expect(given).toBe(before);
  expect(given).toBeLessThanOrEqual(12);
  for (let count = 0; count < 5; count += 1) await stream.next();
  await settle();
  expect(given).toBe(before + 5);
  await stream.return();
});

it("runs no tool while its caller does not read", async () => {
  let ran = 0;
  const { bench, types } = world({
    script: [{ calls: [{ name: "act" }] }, { text: "Done." }],
    tools: { act: { run: () => String(++ran) } },
  });
  const stream = bench.drive("s1", "go", { buffer: 1 });
  await stream.next();
  await stream.next();
  await stream.next();
  await settle();
  expect(ran).toBe(0);
  await stream.finish();
  expect(ran).toBe(1);
  expect((await types()).at(-1)).toBe("run.ended");
});

it("is an interrupt when left in the middle: the text is kept, the session given back", async () => {
  const { bench, data, types, store } = world({ script: [long] });
  const stream = bench.drive("s1", "go", { buffer: 10 });
  for await (const part of stream) if (part.type === "text_delta") break;
  expect(await types(7)).toEqual(["model.requested", "run.interrupted", "model.interrupted", "run.ended"]);
  expect(await data("run.interrupted")).toEqual([{ commandId: null, by: "caller" }]);
  expect(Object((await data("model.interrupted"))[0]).text.length).toBeGreaterThan(0);
  expect(unwrap(await store.session("s1"))?.lease).toBeUndefined();
});

it("starts no tool when left while one waits for the caller to read", async () => {
  let ran = 0;
  const { bench, data } = world({
    script: [{ calls: [{ name: "act" }] }],
    tools: { act: { run: () => String(++ran) } },
  });
  const stream = bench.drive("s1", "go", { buffer: 6 });
  for await (const part of stream) if (part.type === "tool_use_end") break;
  expect(ran).toBe(0);
  expect(await data("tool.finished")).toMatchObject([{ outcome: "interrupted" }]);
});

it("ends when left, although a recovery waits for the caller to read", async () => {
  const { start, bench, data } = world({
    script: [{ calls: [{ name: "act" }] }],
    tools: { act: { run: () => new Promise<string>(() => undefined) } },
  });
  await start("go");
  const stream = bench.drive("s1", undefined, { buffer: 0, steal: true });
  void stream.next();
  await settle();
  const left = await stream.return();
  expect(left.value).toMatchObject({ reason: "interrupted" });
  expect(await data("tool.finished")).toMatchObject([{ outcome: "unknown" }]);
});

it("makes the session and leaves its input there when left before it was read", async () => {
  const { bench, types } = world({ script: [] });
  const left = await bench.drive("s1", "go").return();
  expect(left).toMatchObject({ done: true, value: { reason: "idle" } });
  expect(await types()).toEqual(["session.created", "brain.woke", "input.received"]);
});

it("can be left twice, and after its end", async () => {
  const { bench } = world({ script: [{ text: "Done." }] });
  const stream = bench.drive("s1", "go");
  await stream.finish();
  expect(await stream.return()).toMatchObject({ done: true, value: { reason: "done" } });
  expect(await stream.return()).toMatchObject({ done: true, value: { reason: "done" } });
});

it("interrupts on throw, and throws on", async () => {
  const { bench, types } = world({ script: [long] });
  const stream = bench.drive("s1", "go");
  await stream.next();
  await expect(stream.throw(new Error("mine"))).rejects.toThrow("mine");
  expect((await types()).at(-1)).toBe("run.ended");
});

it("gives the session back at the end of its block", async () => {
  const { bench, store } = world({ script: [long] });
  {
    await using stream = bench.drive("s1", "go");
    await stream.next();
  }
  expect(unwrap(await store.session("s1"))?.lease).toBeUndefined();
});

it("throws what kept it from starting", async () => {
  const { bench, store, run } = world({ script: [{ text: "Done." }] });
  await run("go");
  unwrap(await store.acquire("s1", { ...BENCH_OWNER, pid: 2 }, 60_000));
  const refused = bench.drive("s1", "again").next();
  await expect(refused).rejects.toThrow(ReinFailure);
  await expect(refused).rejects.toMatchObject({ error: { code: "lease_held" } });
});

it("serves readers that ask before the part before has come", async () => {
  const { bench } = world({ script: [{ text: "Done." }] });
  const stream = bench.drive("s1", "go");
  const [first, second] = await Promise.all([stream.next(), stream.next()]);
  expect([first.value, second.value]).toMatchObject([{ type: "agent_start" }, { type: "turn_start" }]);
  await stream.finish();
});

it("is ended by its deadline though its caller has stopped reading", async () => {
  const { bench, types, clock } = world({ script: [long], settings: { limits: { maxTime: 1_000 } } });
  const stream = bench.drive("s1", "go", { buffer: 1 });
  await stream.next();
  await settle();
  await clock.advance(1_000);
  await settle();
  expect(await types()).toContain("timer.fired");
  expect((await stream.finish()).reason).toBe("max_time");
});
