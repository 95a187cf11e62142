import { expect, it } from "vitest";
import { createMemoryStore } from "../../store/memory.ts";
import { fail, ok, unwrap } from "../errors.ts";
import { BENCH_OWNER, BENCH_SETTINGS } from "../testing/brain-bench.ts";
import { wrapStore } from "../testing/wrap-store.ts";
import { compose } from "./compose.ts";
import { openSession, saveSnapshotWhenWorth } from "./open-session.ts";
import { saveState } from "./snapshot.ts";
import type { EventToStore, Snapshot, Store, StoredEvent } from "./store.ts";

const composition = unwrap(compose([], []));

const event = (type: string, data: unknown, version = 1): EventToStore => ({
  type,
  version,
  at: 1,
  data: JSON.stringify(data),
});
const created = event("session.created", { settings: BENCH_SETTINGS, gates: [] });
const input = (n: number) =>
  event("input.received", { commandId: `c${n}`, mode: "start", content: [{ type: "text", text: `${n}` }] });

const filled = async (events: readonly EventToStore[]): Promise<Store> => {
  const store = createMemoryStore();
  const { token } = unwrap(await store.acquire("s", BENCH_OWNER, 60_000));
  unwrap(await store.commit({ appends: [{ stream: "s", expectedSeq: 0, token, events }] }));
  return store;
};

const snapshotOf = async (store: Store, more: Partial<Snapshot> = {}): Promise<Snapshot> => {
  const { state } = unwrap(await openSession(store, composition, "s"));
  const { seq, hash } = unwrap(await store.head("s")) ?? { seq: 0, hash: "" };
  return { seq, hash, version: composition.version, body: saveState(state), ...more };
};

it("folds the whole log where there is no snapshot", async () => {
  const store = await filled([created, input(1), input(2)]);
  const opened = unwrap(await openSession(store, composition, "s"));
  expect(opened).toMatchObject({
    how: "cold",
    read: 3,
    state: { kernel: { seq: 3, pending: [{ seq: 2 }, { seq: 3 }] } },
  });
});

it("takes a snapshot and only the tail behind it", async () => {
  const store = await filled([created, input(1)]);
  unwrap(await store.saveSnapshot("s", await snapshotOf(store)));
  const token = 1;
  unwrap(await store.commit({ appends: [{ stream: "s", expectedSeq: 2, token, events: [input(2)] }] }));
  const opened = unwrap(await openSession(store, composition, "s"));
  expect(opened).toMatchObject({ how: "snapshot", read: 1 });
  expect(opened.state.kernel.pending).toEqual([
    { seq: 2, mode: "start" },
    { seq: 3, mode: "start" },
  ]);
});

it("reads nothing when the snapshot is of the newest event", async () => {
  const store = await filled([created, input(1)]);
  unwrap(await store.saveSnapshot("s", await snapshotOf(store)));
  expect(unwrap(await openSession(store, composition, "s"))).toMatchObject({
    how: "snapshot",
    read: 0,
    state: { kernel: { seq: 2 } },
  });
});

it.each([
  ["another composition", { version: "other" }],
  ["a place ahead of the log", { seq: 9 }],
  ["another place than it says", { seq: 1 }],
  ["another log", { hash: "f".repeat(64) }],
  ["nothing", { body: "" }],
  ["text that was cut", (body: string) => ({ body: body.slice(0, -10) })],
  ["one other figure", (body: string) => ({ body: body.replace('"seq":2', '"seq":3') })],
])("ignores a snapshot of %s", async (_name, change) => {
  const store = await filled([created, input(1)]);
  const good = await snapshotOf(store);
  unwrap(await store.saveSnapshot("s", { ...good, ...(typeof change === "function" ? change(good.body) : change) }));
  expect(unwrap(await openSession(store, composition, "s"))).toMatchObject({
    how: "cold",
    read: 2,
    state: { kernel: { seq: 2 } },
  });
});

it("ignores a snapshot of another session, and one that cannot be read", async () => {
  const store = await filled([created, input(1)]);
  const good = await snapshotOf(store);
  const other = composition.initial("other");
  const body = saveState({ ...other, kernel: { ...other.kernel, seq: 2 } });
  unwrap(await store.saveSnapshot("s", { ...good, body }));
  expect(unwrap(await openSession(store, composition, "s")).how).toBe("cold");
  const broken = wrapStore(store, {
    around: async (method, run) => (method === "snapshot" ? fail("store_damaged", "Bad page.", "Verify.") : run()),
  });
  expect(unwrap(await openSession(broken, composition, "s")).how).toBe("cold");
});

it("says that there is no such session, also where there is only a lease", async () => {
  const store = createMemoryStore();
  expect(await openSession(store, composition, "s")).toMatchObject({
    ok: false,
    error: { code: "session_unknown", message: "There is no session s in memory." },
  });
  const leased = wrapStore(store, {
    around: async (method, run) => {
      const result = await run();
      // biome-ignore lint/suspicious/noExplicitAny: the answer of `head` for a session that is only leased
      return method === "head" ? (ok({ seq: 0, hash: "0".repeat(64) }) as any) : result;
    },
  });
  expect(await openSession(leased, composition, "s")).toMatchObject({ ok: false, error: { code: "session_unknown" } });
});

it("never takes a missing event for the end", async () => {
  const store = await filled([created, input(1), input(2)]);
  const without = (gone: number) =>
    wrapStore(store, {
      around: async (method, run) => {
        const result = await run();
        if (method !== "read" || !result.ok) return result;
        const events = result.value as readonly StoredEvent[];
        return { ok: true, value: events.filter(({ seq }) => seq !== gone) as typeof result.value };
      },
    });
  for (const gone of [1, 2, 3]) {
    expect(await openSession(without(gone), composition, "s")).toMatchObject({
      ok: false,
      error: { code: "store_damaged", place: { seq: gone } },
    });
  }
});

it("refuses a log with an event of a newer version", async () => {
  const store = await filled([created, event("run.started", { run: 1 }, 2)]);
  expect(await openSession(store, composition, "s")).toMatchObject({
    ok: false,
    error: { code: "version_unknown", place: { seq: 2 } },
  });
});

it("names the event whose data has not the shape of its type", async () => {
  const store = await filled([created, event("model.requested", { turn: 1 })]);
  expect(await openSession(store, composition, "s")).toMatchObject({
    ok: false,
    error: { code: "event_invalid", place: { seq: 2 } },
  });
});

it("keeps what it does not know, and goes on", async () => {
  const store = await filled([
    created,
    event("x.mine", { any: 1 }),
    event("of.tomorrow", [1], 7),
    event("run.started", null),
    input(1),
  ]);
  const opened = unwrap(await openSession(store, composition, "s"));
  expect(opened.state.kernel).toMatchObject({ seq: 5, pending: [{ seq: 5 }], run: { active: false } });
});

it.each([
  [499, 499, false],
  [500, 500, true],
  [500, 4_000, true],
  [500, 4_001, false],
])("saves a snapshot for %i new events of %i: %s", async (fresh, all, saved) => {
  const store = await filled([created, ...Array.from({ length: all - 1 }, (_, n) => input(n))]);
  const { state } = unwrap(await openSession(store, composition, "s"));
  expect(unwrap(await saveSnapshotWhenWorth(store, composition, state, fresh))).toBe(saved);
  expect(unwrap(await openSession(store, composition, "s")).how).toBe(saved ? "snapshot" : "cold");
});

it("saves no snapshot of a state that is not the newest", async () => {
  const store = await filled([created, input(1)]);
  const { state } = unwrap(await openSession(store, composition, "s"));
  unwrap(await store.commit({ appends: [{ stream: "s", expectedSeq: 2, token: 1, events: [input(2)] }] }));
  expect(unwrap(await saveSnapshotWhenWorth(store, composition, state, 1_000))).toBe(false);
});
