import { expect, it } from "vitest";
import { createMemoryStore } from "../../store/memory.ts";
import { fail, ok, unwrap } from "../errors.ts";
import { BENCH_OWNER, BENCH_SETTINGS } from "../testing/brain-bench.ts";
import { wrapStore } from "../testing/wrap-store.ts";
import { compose } from "./compose.ts";
import { giveBack } from "./give-back.ts";
import type { Finding, Owner, Store } from "./store.ts";
import { type TakeUpOptions, takeUp } from "./take-up.ts";

const composition = unwrap(compose([], []));
const create = { settings: BENCH_SETTINGS, gates: [] };
const other: Owner = { ...BENCH_OWNER, pid: 2 };

const take = (store: Store, more: Partial<TakeUpOptions> = {}) =>
  takeUp({ store, composition, owner: BENCH_OWNER, session: "s", ttl: 10_000, ...more });

/** A store with a session that has been released. */
const made = async (options: Parameters<typeof createMemoryStore>[0] = {}): Promise<Store> => {
  const store = createMemoryStore(options);
  const { lease, first } = unwrap(await take(store, { create }));
  const events = first.map((event) => composition.encode(event, 1));
  const { token } = lease;
  unwrap(
    await store.commit({
      appends: [{ stream: "s", expectedSeq: 0, token, events }],
      release: [{ session: "s", token }],
    }),
  );
  return store;
};

it("makes a session", async () => {
  const taken = unwrap(await take(createMemoryStore(), { create }));
  expect(taken).toMatchObject({ how: "new", read: 0, lease: { token: 1 }, state: { kernel: { seq: 0 } } });
  expect(taken.first).toEqual([
    { type: "session.created", data: create },
    { type: "brain.woke", data: { token: 1, owner: BENCH_OWNER, how: "created" } },
  ]);
});

it("makes a session whose first try never got to its first event", async () => {
  const store = createMemoryStore({ alive: () => "dead" });
  unwrap(await store.acquire("s", other, 10_000));
  expect(unwrap(await take(store, { create })).how).toBe("new");
});

it("takes a released session up", async () => {
  const taken = unwrap(await take(await made()));
  expect(taken).toMatchObject({ how: "cold", read: 2, state: { kernel: { seq: 2, settings: { folder: "/bench" } } } });
  expect(taken.first).toEqual([{ type: "brain.woke", data: { token: 2, owner: BENCH_OWNER, how: "released" } }]);
});

it("takes a session over from a process that is dead, at once", async () => {
  const store = await made({ alive: (owner) => (owner.pid === 2 ? "dead" : "unknown") });
  unwrap(await store.acquire("s", other, 60_000));
  expect(unwrap(await take(store)).first).toMatchObject([{ data: { how: "recovered", token: 3 } }]);
});

it("takes a session over whose lease has run out", async () => {
  let now = 0;
  const store = await made({ now: () => now });
  unwrap(await store.acquire("s", other, 10_000));
  expect(await take(store)).toMatchObject({ ok: false, error: { code: "lease_held" } });
  now = 10_000;
  expect((await take(store)).ok).toBe(true);
});

it("takes a session by force", async () => {
  const store = await made();
  unwrap(await store.acquire("s", other, 60_000));
  expect(unwrap(await take(store, { steal: true })).first).toMatchObject([{ data: { how: "stolen", token: 3 } }]);
});

it("refuses what it cannot take, and leaves no lease behind", async () => {
  const store = await made();
  expect(await take(store, { create })).toMatchObject({ ok: false, error: { code: "session_exists" } });
  expect(await take(store, { session: "gone" })).toMatchObject({ ok: false, error: { code: "session_unknown" } });
  expect(unwrap(await store.session("s"))?.lease).toBeUndefined();
});

it("gives the lease back when the log cannot be read", async () => {
  const store = await made();
  const broken = wrapStore(store, {
    around: async (method, run) => (method === "read" ? fail("store_damaged", "Row 2 is bad.", "Verify.") : run()),
  });
  expect(await take(broken)).toMatchObject({ ok: false, error: { code: "store_damaged" } });
  expect(unwrap(await store.session("s"))?.lease).toBeUndefined();
  expect((await take(store)).ok).toBe(true);
});

it("lets its lease end at once where a command waits while it gives it back", async () => {
  let now = 0;
  const store = await made({ now: () => now });
  unwrap(await store.commit({ inbox: { put: [{ commandId: "c", session: "s", payload: "{}" }] } }));
  const broken = wrapStore(store, {
    around: async (method, run) => (method === "read" ? fail("store_io", "Away.", "Look.") : run()),
  });
  expect(await take(broken)).toMatchObject({ ok: false, error: { code: "store_io" } });
  now = 1;
  expect((await take(store, { owner: other })).ok).toBe(true);
});

it("tells the session what the store has lost, once", async () => {
  const store = await made();
  const lost = wrapStore(store, {
    around: async (method, run) => {
      const result = await run();
      const losses = [{ kind: "loss", message: "Rows 4 to 9 are gone.", from: 4, to: 9 }];
      return method === "losses" ? (ok(losses) as typeof result) : result;
    },
  });
  const first = unwrap(await take(lost));
  expect(first.first.slice(1)).toEqual([
    { type: "store.lost", data: { from: 4, to: 9, message: "Rows 4 to 9 are gone." } },
  ]);
  const events = first.first.map((event) => composition.encode(event, 1));
  const { token } = first.lease;
  unwrap(
    await store.commit({
      appends: [{ stream: "s", expectedSeq: 2, token, events }],
      release: [{ session: "s", token }],
    }),
  );
  expect(unwrap(await take(lost)).first.slice(1)).toEqual([]);
});

it("tells of what a store says by the numbers of its changes, and not of what was lost before the session was", async () => {
  const store = await made({ now: () => 1_000 });
  const losing = (loss: Omit<Finding, "message">) =>
    wrapStore(store, {
      around: async (method, run) => {
        const result = await run();
        return method === "losses" ? (ok([{ message: "Gone.", ...loss }]) as typeof result) : result;
      },
    });
  const place = { file: "store.db", fromRow: 4, toRow: 9, foundAt: 1_001 };
  const first = async (loss: Omit<Finding, "message">) => {
    const taken = unwrap(await take(losing(loss)));
    unwrap(await giveBack(store, taken.lease));
    return taken.first.slice(1);
  };
  const told = [{ type: "store.lost", data: { from: 4, to: 9, message: "Gone." } }];
  expect(await first({ kind: "loss", place })).toEqual(told);
  expect(await first({ kind: "damage", place })).toEqual(told);
  expect(await first({ kind: "loss", place: { ...place, foundAt: 1_000 } })).toEqual([]);
  expect(await first({ kind: "notice", place })).toEqual([]);
});

it("takes a session up whose lease it could not give back, once the store takes it", async () => {
  const store = await made();
  let full = false;
  const filling = wrapStore(store, {
    around: async (method, run) =>
      full && (method === "commit" || method === "acquire") ? fail("store_full", "Full.", "Free some space.") : run(),
  });
  const taken = unwrap(await take(filling));
  full = true;
  expect(await giveBack(filling, taken.lease)).toMatchObject({ ok: false, error: { code: "store_full" } });
  expect(await take(filling)).toMatchObject({ ok: false, error: { code: "store_full" } });
  full = false;
  expect(unwrap(await take(filling)).lease.token).toBe(taken.lease.token + 1);
});

it("does not give back what another process has taken meanwhile", async () => {
  let now = 0;
  const store = await made({ now: () => now });
  let full = false;
  const filling = wrapStore(store, {
    around: async (method, run) =>
      full && method === "commit" ? fail("store_full", "Full.", "Free some space.") : run(),
  });
  const taken = unwrap(await take(filling));
  full = true;
  await giveBack(filling, taken.lease);
  full = false;
  now = 1_000_000;
  const theirs = unwrap(await store.acquire("s", other, 60_000));
  expect(await take(filling)).toMatchObject({ ok: false, error: { code: "lease_held" } });
  expect(unwrap(await store.session("s"))?.lease?.token).toBe(theirs.token);
});

it("follows what another process wrote between the first look and the lease", async () => {
  const store = await made();
  unwrap(await store.fork("s", 2, "child"));
  let meanwhile = true;
  const racing = wrapStore(store, {
    around: async (method, go) => {
      if (method === "acquire" && meanwhile) {
        meanwhile = false;
        const first = unwrap(await take(store, { session: "child", owner: other }));
        const { token } = first.lease;
        const events = first.first.map((event) => composition.encode(event, 1));
        const append = { stream: "child", expectedSeq: 2, token, events };
        unwrap(await store.commit({ appends: [append], release: [{ session: "child", token }] }));
      }
      return go();
    },
  });
  const taken = unwrap(await take(racing, { session: "child" }));
  expect(taken.state.kernel.seq).toBe(4);
  expect(taken.first.map(({ type }) => type)).toEqual(["brain.woke"]);
});

it("makes no session that another process has made between the first look and the lease", async () => {
  const store = createMemoryStore();
  let meanwhile = true;
  const racing = wrapStore(store, {
    around: async (method, go) => {
      if (method === "acquire" && meanwhile) {
        meanwhile = false;
        const { lease, first } = unwrap(await take(store, { create, owner: other }));
        const { token } = lease;
        const events = first.map((event) => composition.encode(event, 1));
        const append = { stream: "s", expectedSeq: 0, token, events };
        unwrap(await store.commit({ appends: [append], release: [{ session: "s", token }] }));
      }
      return go();
    },
  });
  expect(await take(racing, { create })).toMatchObject({ ok: false, error: { code: "session_exists" } });
  expect(unwrap(await store.session("s"))?.lease).toBeUndefined();
});
