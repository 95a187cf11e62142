import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import { type BenchWorldOptions, createBenchWorld } from "../../testing/bench-world.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";

const world = (options: Omit<BenchWorldOptions, "store" | "clock">) => {
  const clock = createVirtualClock();
  return createBenchWorld({ store: createMemoryStore({ now: clock.now }), clock, ...options });
};

const read = { accesses: [{ resource: "/a", write: false }] };
const write = { accesses: [{ resource: "/a", write: true }] };
const other = { accesses: [{ resource: "/b", write: true }] };

/** Tools that note when they start and end, each taking a virtual second. */
const noting = (notes: string[], clock: { sleep(ms: number): Promise<void> }) => (name: string) => ({
  run: async () => {
    notes.push(`${name} starts`);
    await clock.sleep(1_000);
    notes.push(`${name} ends`);
    return name;
  },
});

it("runs neighbours that do not conflict together, and the others after them, in their order", async () => {
  const clock = createVirtualClock();
  const notes: string[] = [];
  const tool = noting(notes, clock);
  const { run } = createBenchWorld({
    store: createMemoryStore({ now: clock.now }),
    clock,
    script: [
      { calls: [{ name: "read1" }, { name: "read2" }, { name: "write" }, { name: "other" }] },
      { text: "Done." },
    ],
    tools: {
      read1: { ...read, ...tool("read1") },
      read2: { ...read, ...tool("read2") },
      write: { ...write, ...tool("write") },
      other: { ...other, ...tool("other") },
    },
  });
  await run("go");
  expect(notes).toEqual([
    "read1 starts",
    "read2 starts",
    "other starts",
    "read1 ends",
    "read2 ends",
    "other ends",
    "write starts",
    "write ends",
  ]);
});

it("gives the results in the order of the calls, whichever ends first", async () => {
  const clock = createVirtualClock();
  const { run, messages } = createBenchWorld({
    store: createMemoryStore({ now: clock.now }),
    clock,
    script: [{ calls: [{ name: "slow" }, { name: "quick" }] }, { text: "Done." }],
    tools: {
      slow: { ...read, run: () => clock.sleep(5_000).then(() => "slow") },
      quick: { ...read, run: () => clock.sleep(1_000).then(() => "quick") },
    },
  });
  await run("go");
  expect(messages(1)?.at(-1)?.content).toMatchObject([
    { id: "t1_0", content: [{ text: "slow" }] },
    { id: "t1_1", content: [{ text: "quick" }] },
  ]);
});

it("lets a person's answer hold up only what conflicts with the call it is about", async () => {
  const { run, send, data } = world({
    script: [{ calls: [{ name: "asked" }, { name: "conflicting" }, { name: "other" }] }, { text: "Done." }],
    tools: { asked: { ...write, decision: "ask" }, conflicting: read, other },
  });
  expect((await run("go")).reason).toBe("waiting");
  expect(await data("tool.finished")).toMatchObject([{ call: "8.2" }]);
  await send({ kind: "approve", call: "8.0" });
  expect((await run()).reason).toBe("done");
  expect(await data("tool.started")).toMatchObject([{ call: "8.2" }, { call: "8.0" }, { call: "8.1" }]);
});

it("runs at most ten at once, or as many as the session says", async () => {
  const most = async (parallel?: number): Promise<number> => {
    const clock = createVirtualClock();
    let running = 0;
    let seen = 0;
    const look = {
      ...read,
      run: async () => {
        running += 1;
        seen = Math.max(seen, running);
        await clock.sleep(1_000);
        running -= 1;
        return "";
      },
    };
    const calls = Array.from({ length: 14 }, (_, n) => ({ name: "look", input: { n } }));
    const { run } = createBenchWorld({
      store: createMemoryStore({ now: clock.now }),
      clock,
      script: [{ calls }, { text: "Done." }],
      tools: { look },
      settings: parallel === undefined ? {} : { parallel },
    });
    await run("go");
    return seen;
  };
  expect(await most()).toBe(10);
  expect(await most(3)).toBe(3);
  expect(await most(0)).toBe(1);
});

it("runs one call at a time in linear mode, with the stages in the stream", async () => {
  const clock = createVirtualClock();
  const notes: string[] = [];
  const tool = noting(notes, clock);
  const { run, parts } = createBenchWorld({
    store: createMemoryStore({ now: clock.now }),
    clock,
    settings: { linear: true },
    script: [{ calls: [{ name: "one" }, { name: "two" }] }, { text: "Done." }],
    tools: { one: { ...read, ...tool("one") }, two: { ...read, ...tool("two") } },
  });
  await run("go");
  expect(notes).toEqual(["one starts", "one ends", "two starts", "two ends"]);
  const stages = parts.flatMap((part) => (part.type === "stage" ? `${part.turn} ${part.stage}` : []));
  expect(stages).toEqual([
    "1 intake",
    "1 context",
    "1 inference",
    "1 streaming",
    "1 tools",
    "1 persistence",
    "2 context",
    "2 inference",
    "2 streaming",
    "2 persistence",
  ]);
});

it("names no stages in streaming mode", async () => {
  const { run, parts } = world({ script: [{ text: "Done." }] });
  await run("go");
  expect(parts.filter((part) => part.type === "stage")).toEqual([]);
});

it("never runs a call whose arguments are only a fragment", async () => {
  let ran = 0;
  const { run, messages } = world({
    script: [{ calls: [{ name: "act", malformed: '{"comm' }] }, { text: "Done." }],
    tools: { act: { run: () => String(++ran) } },
  });
  await run("go");
  expect(ran).toBe(0);
  expect(messages(1)?.slice(1)).toMatchObject([
    { role: "assistant", content: [{ type: "tool_use", id: "t1_0", input: {} }] },
    { role: "tool", content: [{ id: "t1_0", isError: true }] },
  ]);
});

it("tells calls with one id apart", async () => {
  const { run, data, messages } = world({
    script: [
      {
        calls: [
          { name: "look", id: "t", input: { n: 1 } },
          { name: "look", id: "t", input: { n: 2 } },
        ],
      },
      { text: "Done." },
    ],
    tools: { look: { readOnly: true, run: (call) => `saw ${call.input.n}` } },
  });
  await run("go");
  expect(await data("tool.finished")).toMatchObject([{ call: "8.0" }, { call: "8.1" }]);
  expect(messages(1)?.at(-1)?.content).toMatchObject([
    { id: "t", content: [{ text: "saw 1" }] },
    { id: "call_8_1", content: [{ text: "saw 2" }] },
  ]);
});

it("lets nothing overtake a call that waits for a person in linear mode", async () => {
  const { run, data } = world({
    settings: { linear: true },
    script: [{ calls: [{ name: "asked" }, { name: "other" }] }],
    tools: { asked: { ...write, decision: "ask" }, other },
  });
  expect((await run("go")).reason).toBe("waiting");
  expect(await data("tool.started")).toEqual([]);
});
