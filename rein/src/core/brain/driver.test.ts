import { expect, it } from "vitest";
import { createMemoryStore } from "../../store/memory.ts";
import { fail, unwrap } from "../errors.ts";
import { type Commit, definePart, type Rule, type Store } from "../session/index.ts";
import { type BenchWorldOptions, createBenchWorld, runOut } from "../testing/bench-world.ts";
import { BENCH_OWNER } from "../testing/brain-bench.ts";
import { createVirtualClock, settle } from "../testing/virtual-clock.ts";
import { wrapStore } from "../testing/wrap-store.ts";
import { kernelRules } from "./index.ts";

const world = (
  options: Omit<BenchWorldOptions, "store" | "clock">,
  wrap: (store: Store) => Store = (store) => store,
) => {
  const clock = createVirtualClock();
  return createBenchWorld({ store: wrap(createMemoryStore({ now: clock.now })), clock, ...options });
};

/** A store that shows each commit to a function, which may answer in its place. */
const watched = (see: (commit: Commit, nth: number) => ReturnType<typeof fail> | undefined) => {
  let nth = 0;
  return (store: Store): Store =>
    wrapStore(store, {
      around: async (method, run, commit) => {
        if (method !== "commit" || commit === undefined) return run();
        nth += 1;
        return see(commit, nth) ?? run();
      },
    });
};

const types = (commit: Commit) => commit.appends?.flatMap(({ events }) => events.map((event) => event.type)) ?? [];

it("can be run again in the same process after a disk was full to the end of the run", async () => {
  let full = false;
  let runs = 0;
  const { run, store } = world(
    {
      script: [{ calls: [{ name: "look" }] }, { text: "Done." }],
      tools: {
        look: {
          readOnly: true,
          run: () => {
            runs += 1;
            full = runs === 1;
            return "seen";
          },
        },
      },
    },
    watched(() => (full ? fail("store_full", "The disk is full.", "Free some space.") : undefined)),
  );
  expect(await run("go")).toMatchObject({ reason: "failed", error: { code: "store_full" } });
  expect(unwrap(await store.session("s1"))?.lease).toBeDefined();
  full = false;
  expect((await run()).reason).toBe("done");
  expect(unwrap(await store.session("s1"))?.lease).toBeUndefined();
});

it("commits the outcome of one effect and the intent of the next as one unit", async () => {
  const commits: (readonly string[])[] = [];
  const { run } = world(
    { script: [{ calls: [{ name: "look" }] }, { text: "Done." }], tools: { look: {} } },
    watched((commit) => void commits.push(types(commit))),
  );
  await run("go");
  expect(commits).toEqual([
    ["session.created", "brain.woke", "input.received", "run.started"],
    ["tools.changed", "context.captured", "model.requested"],
    ["model.responded", "call.judged", "tool.started"],
    ["tool.finished", "model.requested"],
    ["model.responded", "run.ended"],
    [],
  ]);
});

it("starts no effect before its intent is durable", async () => {
  const order: string[] = [];
  const { run } = world(
    {
      script: [{ calls: [{ name: "act" }] }, { text: "Done." }],
      tools: { act: { run: () => String(order.push("acted")) } },
    },
    (store) =>
      wrapStore(store, {
        around: async (_method, go, commit) => {
          const intent = commit !== undefined && types(commit).includes("tool.started");
          if (intent) order.push("intent under way");
          if (intent) await settle();
          const result = await go();
          if (intent) order.push("intent durable");
          return result;
        },
      }),
  );
  await run("go");
  expect(order).toEqual(["intent under way", "intent durable", "acted"]);
});

it.each([
  ["normal", []],
  [
    "strict",
    [
      ["tools.changed", "context.captured", "model.requested"],
      ["model.responded", "call.judged", "tool.started"],
      ["process.started"],
      ["tool.finished", "model.requested"],
    ],
  ],
] as const)("syncs the commits that hold an intent and no others: %s", async (durability, expected) => {
  const barriers: (readonly string[])[] = [];
  const { run } = world(
    {
      settings: { durability },
      script: [{ calls: [{ name: "act" }] }, { text: "Done." }],
      tools: {
        act: {
          run: async (_call, { announce }) => {
            unwrap(
              await announce({ host: "h", bootId: "b", pidNamespace: "n", pid: 7, pidStart: "1", group: 7, mark: "m" }),
            );
            return "";
          },
        },
      },
    },
    watched((commit) => (commit.durability === "barrier" ? void barriers.push(types(commit)) : undefined)),
  );
  await run("go");
  expect(barriers).toEqual(expected);
});

it("stops with the error when the store is full, and the log stays as it was", async () => {
  let acted = 0;
  const full = watched((commit) =>
    types(commit).includes("tool.started") ? fail("store_full", "No space left.", "Free some space.") : undefined,
  );
  const {
    run,
    types: logged,
    store,
  } = world({ script: [{ calls: [{ name: "act" }] }], tools: { act: { run: () => String(++acted) } } }, full);
  const end = await run("go");
  expect(end).toMatchObject({ reason: "failed", error: { code: "store_full", class: "resource" } });
  expect(acted).toBe(0);
  expect(await logged(7)).toEqual(["model.requested"]);
  expect(end.state.kernel.seq).toBe(7);
  expect(unwrap(await store.session("s1"))?.lease).toBeUndefined();
});

it("goes on from there once the store has room again", async () => {
  let full = true;
  const { run } = world(
    { script: [{ text: "Lost." }, { text: "Done." }] },
    watched((commit) =>
      full && types(commit).includes("model.responded")
        ? fail("store_full", "No space left.", "Free some.")
        : undefined,
    ),
  );
  expect((await run("go")).reason).toBe("failed");
  full = false;
  expect(await run()).toMatchObject({ reason: "done", text: "Done." });
});

it("stops its effects and ends as lost when another process has taken the session", async () => {
  const clock = createVirtualClock();
  const store = createMemoryStore({ now: clock.now });
  let aborted = false;
  const { start, data } = createBenchWorld({
    store,
    clock,
    script: [{ calls: [{ name: "act" }] }],
    tools: {
      act: {
        run: (_call, { signal }) =>
          new Promise((resolve) => {
            signal.addEventListener("abort", () => {
              aborted = true;
              resolve("");
            });
          }),
      },
    },
  });
  const { end } = await start("go");
  unwrap(await store.acquire("s1", { ...BENCH_OWNER, pid: 2 }, 60_000, { steal: true }));
  await clock.advance(5_000);
  expect(await end).toMatchObject({ reason: "lost", error: { code: "lease_lost" } });
  expect(aborted).toBe(true);
  expect(await data("tool.finished")).toEqual([]);
});

it("notices at once when another has written, and does not write itself any more", async () => {
  const { start, run, data } = world({ script: [{ hang: "Half" }, { text: "Done." }] });
  const first = await start("go");
  const end = await run(undefined, { steal: true });
  expect(end.reason).toBe("done");
  expect(await first.end).toMatchObject({ reason: "lost" });
  expect(await data("model.interrupted")).toEqual([{ turn: 1, text: "", by: "crash" }]);
});

it("notices at once when another has taken the session, written and given it back", async () => {
  const { start, store, data } = world({ script: [{ hang: "Half" }, { text: "Never said." }] });
  const { end } = await start("go");
  const { token } = unwrap(await store.acquire("s1", { ...BENCH_OWNER, pid: 2 }, 60_000, { steal: true }));
  const expectedSeq = unwrap(await store.head("s1"))?.seq ?? 0;
  const woke = { token, owner: { ...BENCH_OWNER, pid: 2 }, how: "stolen" };
  const events = [{ type: "brain.woke", version: 1, at: 0, data: JSON.stringify(woke) }];
  unwrap(
    await store.commit({
      appends: [{ stream: "s1", expectedSeq, token, events }],
      release: [{ session: "s1", token }],
    }),
  );
  expect(await end).toMatchObject({
    reason: "lost",
    error: { code: "lease_lost", message: "Another process had taken session s1 and has given it back." },
  });
  expect(await data("model.interrupted")).toEqual([]);
});

it("gives the session up when its lease could not be renewed for as long as it lasts", async () => {
  let down = false;
  const { start, clock } = world({ script: [{ hang: "" }] }, (store) =>
    wrapStore(store, {
      around: (method, go) =>
        method === "renew" && down ? Promise.resolve(fail("store_io", "The disk is away.", "Look at it.")) : go(),
    }),
  );
  const { end } = await start("go");
  await clock.advance(5_000);
  down = true;
  await clock.advance(14_999);
  let over = false;
  void end.then(() => {
    over = true;
  });
  await settle();
  expect(over).toBe(false);
  await clock.advance(1);
  expect(await runOut(clock, end)).toMatchObject({ reason: "lost", error: { code: "store_io" } });
});

it("takes in every command that comes at the very end, before it gives the session back", async () => {
  let late = true;
  const {
    run,
    bench,
    types: logged,
  } = world({ script: [{ text: "One." }, { text: "Two." }] }, (store) =>
    wrapStore(store, {
      around: async (_method, go, commit) => {
        if (commit?.release !== undefined && late) {
          late = false;
          await bench.send("s1", { kind: "input", mode: "start", content: [{ type: "text", text: "two" }] }, "c1");
        }
        return go();
      },
    }),
  );
  expect(await run("one")).toMatchObject({ reason: "done", text: "Two." });
  expect(await logged(9)).toEqual([
    "run.ended",
    "input.received",
    "run.started",
    "model.requested",
    "model.responded",
    "run.ended",
  ]);
});

it("does not start what comes behind an interrupt by itself", async () => {
  let late = true;
  const {
    start,
    send,
    clock,
    bench,
    types: logged,
  } = world({ script: [{ hang: "" }] }, (store) =>
    wrapStore(store, {
      around: async (_method, go, commit) => {
        if (commit?.release !== undefined && late) {
          late = false;
          await bench.send("s1", { kind: "input", mode: "start", content: [{ type: "text", text: "two" }] }, "late");
        }
        return go();
      },
    }),
  );
  const { end } = await start("one");
  await send({ kind: "interrupt" });
  await clock.advance(100);
  expect((await end).reason).toBe("interrupted");
  expect(await logged(8)).toEqual(["run.interrupted", "model.interrupted", "run.ended", "input.received"]);
});

it("clears a wake that is due, so that the session can be given back", async () => {
  const { run, store, clock } = world({ script: [{ text: "Done." }] });
  unwrap(await store.commit({ wake: [{ session: "s1", name: "later", at: clock.now() - 1 }] }));
  expect((await run("go")).reason).toBe("done");
  expect(unwrap(await store.dueWakes("s1"))).toEqual([]);
  expect(unwrap(await store.wakeable())).toEqual([]);
});

it("ends the run when nothing here can carry out what a rule wants again and again", async () => {
  const wish: Rule = {
    name: "wish",
    decide: ({ kernel }) =>
      kernel.model.phase === "responded"
        ? { want: [{ id: "wish:1", kind: "magic", input: {} }], hold: true }
        : undefined,
  };
  const { run, types: logged } = world({ script: [{ text: "Done." }], rules: [wish, ...kernelRules] });
  expect(await run("go")).toMatchObject({
    reason: "failed",
    error: { code: "internal", message: "The effect wish:1 failed (see effect.failed) and is wanted again." },
  });
  expect(await logged(8)).toEqual(["model.responded", "effect.failed", "run.ended"]);
});

it("ends the run when the rules never come to rest", async () => {
  const part = definePart({
    name: "restless",
    events: { "restless.moved": { version: 1 } },
    initial: 0,
    reduce: (count, event) => (event.type === "restless.moved" ? count + 1 : count),
    rules: [],
    runners: () => ({ move: { start: () => ({ outcome: [{ type: "restless.moved", data: {} }] }) } }),
  });
  const rule: Rule = {
    name: "move",
    decide: (state) =>
      state.kernel.run.active
        ? { want: [{ id: `move:${part.of(state)}`, kind: "move", input: {} }], hold: true }
        : undefined,
  };
  const { run } = world({ script: [], parts: [part], rules: [rule, ...kernelRules] });
  expect(await run("go")).toMatchObject({
    reason: "failed",
    error: { code: "internal", message: "The rules never come to rest." },
  });
});

it("ends with the fault of a rule that throws, its effects aborted, the session given back", async () => {
  const rule: Rule = {
    name: "broken",
    decide: ({ kernel }) => {
      if (kernel.model.phase === "responded") throw new Error("x is not a function");
      return undefined;
    },
  };
  const { run, store } = world({ script: [{ text: "Done." }], rules: [rule, ...kernelRules] });
  expect(await run("go")).toMatchObject({
    reason: "failed",
    error: { code: "internal", message: "x is not a function" },
  });
  expect(unwrap(await store.session("s1"))?.lease).toBeUndefined();
});

it("resumes a session that has nothing to do with its last end", async () => {
  const { run } = world({ script: [{ text: "Done." }] });
  await run("go");
  expect(await run()).toMatchObject({ reason: "done", text: "" });
});

it("saves a snapshot once enough events have come, over several lives", async () => {
  const calls = (n: number) => ({
    calls: Array.from({ length: 20 }, (_, i) => ({ name: "nothing", input: { n, i } })),
  });
  const script = Array.from({ length: 12 }, (_, n) => [calls(n), { text: "Done." }]).flat();
  const { run, store } = world({ script });
  const saved: (number | null)[] = [];
  for (let life = 0; life < 12; life += 1) {
    await run("go");
    saved.push(unwrap(await store.snapshot("s1"))?.seq ?? null);
  }
  expect(saved.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => null));
  expect(saved.at(-1)).toBeGreaterThan(500);
});
