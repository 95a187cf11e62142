import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import { fail, ok, unwrap } from "../../errors.ts";
import type { ProcessIdentity } from "../../ports.ts";
import { type BenchWorldOptions, createBenchWorld } from "../../testing/bench-world.ts";
import type { FakeTool } from "../../testing/fake-tools.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";
import { wrapStore } from "../../testing/wrap-store.ts";

const IDENTITY: ProcessIdentity = {
  host: "h",
  bootId: "b",
  pidNamespace: "n",
  pid: 7,
  pidStart: "1",
  group: 7,
  mark: "m",
};

/** A session whose process died while its one call ran, resumed. The tool hangs in its first life. */
const crash = async (tool: FakeTool, options: Partial<BenchWorldOptions> = {}) => {
  const clock = createVirtualClock();
  let lives = 0;
  const act: FakeTool = {
    ...tool,
    run: async (call, context) => {
      lives += 1;
      if (lives === 1) await tool.run?.(call, context);
      return lives === 1 ? new Promise(() => undefined) : `ran in life ${lives}`;
    },
  };
  const world = createBenchWorld({
    store: createMemoryStore({ now: clock.now }),
    clock,
    script: [{ calls: [{ name: "act" }] }, { text: "Done." }],
    tools: { act },
    ...options,
  });
  await world.start("go");
  const end = await world.run(undefined, { steal: true });
  return { ...world, end, runs: () => lives };
};

it("does not repeat a call that may have taken effect: its outcome is unknown, and the model is told", async () => {
  const { end, runs, data, types, messages } = await crash({});
  expect(end.reason).toBe("done");
  expect(runs()).toBe(1);
  expect(await types(10)).toEqual([
    "tool.started",
    "brain.woke",
    "tool.finished",
    "model.requested",
    "model.responded",
    "run.ended",
  ]);
  expect(await data("tool.finished")).toMatchObject([
    { call: "8.0", outcome: "unknown", errorType: "outcome_unknown" },
  ]);
  expect(messages(1)?.at(-1)?.content).toMatchObject([
    {
      isError: true,
      content: [
        {
          text: "act: outcome_unknown. The process that ran this call died, so its outcome is unknown: check whether it took effect before you repeat it.",
        },
      ],
    },
  ]);
});

it("runs a call that changes nothing again", async () => {
  const { runs, data } = await crash({ readOnly: true });
  expect(runs()).toBe(2);
  expect(await data("tool.requeued")).toEqual([{ call: "8.0" }]);
  expect(await data("tool.started")).toEqual([
    { call: "8.0", attempt: 1 },
    { call: "8.0", attempt: 2 },
  ]);
  expect(await data("tool.finished")).toMatchObject([{ outcome: "ok", content: [{ text: "ran in life 2" }] }]);
});

it("asks a tool that can look what became of its call", async () => {
  const { runs, data } = await crash({
    recover: "reconcile",
    reconcile: () => ({ outcome: "ok", content: [{ type: "text", text: "The file is there." }] }),
  });
  expect(runs()).toBe(1);
  expect(await data("tool.finished")).toMatchObject([{ outcome: "ok", content: [{ text: "The file is there." }] }]);
});

it("closes a call whose tool cannot tell as unknown", async () => {
  const { data } = await crash({ recover: "reconcile", reconcile: () => null });
  expect(await data("tool.finished")).toMatchObject([{ outcome: "unknown" }]);
});

it("closes a call whose tool fails while it looks as unknown, and says why", async () => {
  const { data, runs } = await crash({
    recover: "reconcile",
    reconcile: () => {
      throw new Error("No rights.");
    },
  });
  expect(runs()).toBe(1);
  const text = Object((await data("tool.finished"))[0]).content[0].text;
  expect(text).toContain("outcome is unknown");
  expect(text).toContain("Looking for its outcome failed: No rights.");
});

it("ends the processes of the earlier life before it closes the call", async () => {
  const order: string[] = [];
  const { data } = await crash(
    {
      run: async (_call, { announce }) => {
        unwrap(await announce(IDENTITY));
        return "";
      },
    },
    {
      hands: {
        endSurvivors: async (identity) => {
          order.push(`ended ${identity.pid} of ${identity.mark}`);
          return ok({ ended: 2 });
        },
      },
    },
  );
  expect(order).toEqual(["ended 7 of m"]);
  expect(await data("tool.finished")).toMatchObject([{ outcome: "unknown" }]);
});

it("does not run a call again whose processes could not be ended, and names each of them", async () => {
  const { runs, data } = await crash(
    {
      readOnly: true,
      run: async (_call, { announce }) => {
        unwrap(await announce(IDENTITY));
        unwrap(await announce({ ...IDENTITY, pid: 8 }));
        return "";
      },
    },
    { hands: { endSurvivors: async () => fail("process_failed", "It does not die.", "Look at it.") } },
  );
  expect(runs()).toBe(1);
  const text = Object((await data("tool.finished"))[0]).content[0].text;
  expect(text).toContain("Process 7 of it could not be ended: It does not die. Process 8 of it could not be ended");
});

it("closes no call over a process that it could not look up: the run fails, and the next life ends it", async () => {
  let life = 1;
  let recovering = false;
  const ended: number[] = [];
  const store = wrapStore(createMemoryStore(), {
    around: async (method, go) => {
      recovering ||= life === 2 && method === "scratch";
      return recovering && method === "read" ? fail("store_io", "The disk is away.", "Look at it.") : go();
    },
  });
  const { start, run, data } = createBenchWorld({
    store,
    clock: createVirtualClock(),
    script: [{ calls: [{ name: "act" }] }, { text: "Done." }],
    tools: {
      act: {
        run: async (_call, { announce }) => {
          unwrap(await announce(IDENTITY));
          return new Promise(() => undefined);
        },
      },
    },
    hands: {
      endSurvivors: async ({ pid }) => {
        ended.push(pid);
        return ok({ ended: 1 });
      },
    },
  });
  await start("go");
  life = 2;
  expect(await run(undefined, { steal: true })).toMatchObject({ reason: "failed", error: { code: "store_io" } });
  life = 3;
  recovering = false;
  expect(await data("tool.finished")).toEqual([]);
  expect((await run()).reason).toBe("done");
  expect(ended).toEqual([7]);
  expect(await data("tool.finished")).toMatchObject([{ outcome: "unknown" }]);
});

it("keeps the finished results of siblings whose own call was not finished", async () => {
  const clock = createVirtualClock();
  let hangs = true;
  const { start, run, messages } = createBenchWorld({
    store: createMemoryStore({ now: clock.now }),
    clock,
    script: [{ calls: [{ name: "quick" }, { name: "slow" }] }, { text: "Done." }],
    tools: {
      quick: { readOnly: true, run: () => "quick result" },
      slow: { accesses: [], run: () => (hangs ? new Promise(() => undefined) : "slow result") },
    },
  });
  await start("go");
  hangs = false;
  await run(undefined, { steal: true });
  expect(messages(1)?.at(-1)?.content).toMatchObject([
    { isError: false, content: [{ text: "quick result" }] },
    { isError: true, errorType: "outcome_unknown" },
  ]);
});

it("does not run a call whose judgement was erased meanwhile", async () => {
  const clock = createVirtualClock();
  let runs = 0;
  const { start, run, store, data } = createBenchWorld({
    store: createMemoryStore({ now: clock.now }),
    clock,
    script: [{ calls: [{ name: "act" }] }, { text: "Done." }],
    tools: {
      act: {
        recover: "reconcile",
        run: () => {
          runs += 1;
          return new Promise(() => undefined);
        },
      },
    },
  });
  await start("go");
  unwrap(await store.erase("s1", 9));
  expect((await run(undefined, { steal: true })).reason).toBe("done");
  expect(runs).toBe(1);
  expect(await data("tool.finished")).toMatchObject([{ outcome: "unknown" }]);
});
