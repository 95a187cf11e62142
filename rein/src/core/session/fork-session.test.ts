import { expect, it } from "vitest";
import { createMemoryStore } from "../../store/memory.ts";
import { unwrap } from "../errors.ts";
import { type BenchWorldOptions, createBenchWorld, runOut } from "../testing/bench-world.ts";
import { BENCH_OWNER } from "../testing/brain-bench.ts";
import { readLog } from "../testing/read-log.ts";
import { createVirtualClock } from "../testing/virtual-clock.ts";
import { forkSession } from "./fork-session.ts";
import { openSession } from "./open-session.ts";

const world = (options: Omit<BenchWorldOptions, "store" | "clock">) => {
  const clock = createVirtualClock();
  const here = createBenchWorld({ store: createMemoryStore({ now: clock.now }), clock, ...options });
  const fork = (seq?: number) =>
    forkSession({
      store: here.store,
      composition: here.bench.composition,
      clock,
      owner: BENCH_OWNER,
      ttl: 10_000,
      parent: "s1",
      child: "child",
      ...(seq !== undefined && { seq }),
    });
  return { ...here, fork };
};

it("goes on from where the parent was, with its history and settings", async () => {
  const { run, fork, bench, model, store, clock } = world({ script: [{ text: "One." }, { text: "Two." }] });
  await run("one");
  expect(unwrap(await fork())).toEqual({ session: "child", seq: 10, kept: 9 });
  const end = await runOut(clock, bench.drive("child", "two").finish());
  expect(end).toMatchObject({ reason: "done", text: "Two." });
  expect(model.requests[1]?.messages).toEqual([
    { role: "user", content: [{ type: "text", text: "one" }] },
    { role: "assistant", content: [{ type: "text", text: "One." }] },
    { role: "user", content: [{ type: "text", text: "two" }] },
  ]);
  expect((await readLog(store, "s1")).length).toBe(9);
  expect((await readLog(store, "child")).slice(9, 11)).toMatchObject([
    { seq: 10, type: "session.forked", data: { parent: "s1", seq: 9 } },
    { seq: 11, type: "brain.woke", data: { how: "released" } },
  ]);
});

it("closes what is open at that place: nothing of it runs in the child", async () => {
  const ran: string[] = [];
  const { start, fork, store, bench, clock, model, send } = world({
    script: [
      {
        calls: [
          { name: "act", input: { n: 1 } },
          { name: "asked", input: { n: 2 } },
        ],
      },
      { text: "Done." },
    ],
    tools: {
      act: {
        accesses: [],
        run: async (call) => {
          ran.push(String(call.input.n));
          await clock.sleep(1_000);
          return "did it";
        },
      },
      asked: { accesses: [], decision: "ask" },
    },
  });
  const parent = await start("go");
  unwrap(await fork());
  const events = (await readLog(store, "child")).slice(12);
  expect(events).toMatchObject([
    { type: "session.forked" },
    { type: "tool.finished", data: { call: "8.0", outcome: "unknown" } },
    { type: "tool.finished", data: { call: "8.1", outcome: "interrupted" } },
    { type: "run.ended", data: { reason: "interrupted" } },
  ]);
  const child = bench.drive("child", "go on").finish();
  expect((await child).reason).toBe("done");
  expect(model.requests[1]?.messages.map((message) => message.role)).toEqual(["user", "assistant", "tool", "user"]);
  expect(ran).toEqual(["1"]);
  await send({ kind: "interrupt" });
  await clock.advance(1_000);
  expect((await parent.end).reason).toBe("interrupted");
});

it("inherits no approval: a child cannot be told yes to what its parent asked", async () => {
  const { run, fork, bench, store } = world({
    script: [{ calls: [{ name: "act" }] }],
    tools: { act: { decision: "ask" } },
  });
  await run("go");
  unwrap(await fork());
  await bench.send("child", { kind: "approve", call: "8.0" }, "yes");
  await bench.drive("child").finish();
  expect(await readLog(store, "child", "command.refused")).toMatchObject([
    { data: { reason: "No such call is open." } },
  ]);
  expect(await readLog(store, "child", "tool.started")).toEqual([]);
});

it("takes in no input that waits in the parent", async () => {
  const { run, send, fork, store, bench } = world({ script: [{ text: "One." }] });
  await run("one");
  await send({ kind: "pause" });
  await run("two");
  unwrap(await fork());
  const { state } = unwrap(await openSession(store, bench.composition, "child"));
  expect(state.kernel).toMatchObject({ pending: [], paused: false, forkedFrom: "s1" });
});

it("is completed by whoever takes the child up when its process died in the middle", async () => {
  let survivors = 0;
  const { start, store, bench } = world({
    script: [{ calls: [{ name: "act" }] }],
    tools: {
      act: {
        readOnly: true,
        run: async (_call, { announce }) => {
          unwrap(
            await announce({ host: "h", bootId: "b", pidNamespace: "n", pid: 7, pidStart: "1", group: 7, mark: "m" }),
          );
          return new Promise<string>(() => undefined);
        },
      },
    },
    hands: {
      endSurvivors: async () => {
        survivors += 1;
        return { ok: true, value: { ended: 1 } };
      },
    },
  });
  await start("go");
  unwrap(await store.fork("s1", 11, "child"));
  expect((await bench.drive("child").finish()).reason).toBe("interrupted");
  expect((await readLog(store, "child")).slice(11)).toMatchObject([
    { type: "session.forked", data: { parent: "s1", seq: 11 } },
    { type: "tool.finished", data: { outcome: "unknown" } },
    { type: "run.ended", data: { reason: "interrupted" } },
    { type: "brain.woke" },
  ]);
  expect(survivors).toBe(0);
});

it("closes what an import left in flight, before its first life", async () => {
  const { start, store, bench } = world({ script: [{ hang: "" }] });
  await start("go");
  const events = unwrap(await store.read("s1")).map(({ type, version, at, data }) => ({
    type,
    version,
    at,
    data: data ?? "",
  }));
  const imported = bench.composition.encode({ type: "session.imported", data: { from: "s1", hash: "h", lost: 0 } }, 1);
  const { token } = unwrap(await store.acquire("copy", BENCH_OWNER, 10_000));
  unwrap(
    await store.commit({
      appends: [{ stream: "copy", expectedSeq: 0, token, events: [...events, imported] }],
      release: [{ session: "copy", token }],
    }),
  );
  expect((await bench.drive("copy").finish()).reason).toBe("interrupted");
  expect((await readLog(store, "copy")).slice(7).map((event) => event.type)).toEqual([
    "session.imported",
    "model.interrupted",
    "run.ended",
    "brain.woke",
  ]);
});

it("refuses a place that the parent does not have, and a child that is there", async () => {
  const { run, fork } = world({ script: [{ text: "One." }] });
  await run("one");
  expect(await fork(99)).toMatchObject({ ok: false, error: { code: "invalid_option" } });
  unwrap(await fork(4));
  expect(await fork(4)).toMatchObject({ ok: false, error: { code: "session_exists" } });
});

it("takes a history from a file, never its permissions", async () => {
  const { run, store, bench } = world({
    script: [{ text: "One." }],
    settings: { rules: { allow: ["Bash"], deny: ["Write"] } },
  });
  await run("one");
  const stored = unwrap(await store.read("s1"));
  const events = stored.map(({ type, version, at, data }) => ({ type, version, at, data: data ?? "" }));
  const imported = bench.composition.encode({ type: "session.imported", data: { from: "s1", hash: "h", lost: 0 } }, 1);
  const { token } = unwrap(await store.acquire("copy", BENCH_OWNER, 10_000));
  const appends = [{ stream: "copy", expectedSeq: 0, token, events: [...events, imported] }];
  unwrap(await store.commit({ appends, release: [{ session: "copy", token }] }));
  const opened = unwrap(await openSession(store, bench.composition, "copy"));
  expect(opened.state.kernel.settings?.rules).toEqual({ allow: [], deny: ["Write"] });
});

it("brings back no permissions that an import took away, in a fork before it, a fork of that, or one that died in the middle", async () => {
  const { run, store, bench, clock } = world({
    script: [{ text: "One." }],
    settings: { rules: { allow: ["Bash"], deny: ["Write"] } },
  });
  await run("one");
  const stored = unwrap(await store.read("s1"));
  const events = stored.map(({ type, version, at, data }) => ({ type, version, at, data: data ?? "" }));
  const imported = bench.composition.encode({ type: "session.imported", data: { from: "s1", hash: "h", lost: 0 } }, 1);
  const { token } = unwrap(await store.acquire("copy", BENCH_OWNER, 10_000));
  const appends = [{ stream: "copy", expectedSeq: 0, token, events: [...events, imported] }];
  unwrap(await store.commit({ appends, release: [{ session: "copy", token }] }));
  const { composition } = bench;
  const fork = (parent: string, seq: number, child: string) =>
    forkSession({ store, composition, clock, owner: BENCH_OWNER, ttl: 10_000, parent, child, seq });
  const rulesOf = async (session: string) =>
    unwrap(await openSession(store, composition, session)).state.kernel.settings?.rules;
  unwrap(await fork("copy", 5, "child"));
  unwrap(await fork("child", 4, "grandchild"));
  unwrap(await store.fork("copy", 5, "half"));
  await bench.drive("half").finish();
  for (const session of ["child", "grandchild", "half"])
    expect([session, await rulesOf(session)]).toEqual([session, { allow: [], deny: ["Write"] }]);
  unwrap(await fork("s1", 5, "own"));
  expect(await rulesOf("own")).toEqual({ allow: ["Bash"], deny: ["Write"] });
});
