import assert from "node:assert/strict";
import { append, event, eventually, good, hold, make, put, refused, START, seqOf, TTL, waiting } from "./helpers.ts";
import type { Check } from "./types.ts";

/** Commands, wakes, and the release that must not miss one. */
export const inboxChecks: readonly Check[] = [
  {
    name: "anybody may put a command; it waits with its payload and the store's time",
    run: async ({ store, setTime }) => {
      setTime(START + 5);
      const done = await put(store, "s", "c1", '{"kind":"interrupt"}');
      assert.deepEqual([...done.duplicates], []);
      const [entry] = good(await store.inbox("s"));
      assert.deepEqual(
        { ...entry },
        { commandId: "c1", session: "s", payload: '{"kind":"interrupt"}', putAt: START + 5 },
      );
      assert.deepEqual(await waiting(store, "t"), []);
    },
  },
  {
    name: "commands wait in the order of their putting, whatever the clock says",
    run: async ({ store, setTime }) => {
      await put(store, "s", "z");
      setTime(START - 3_600_000);
      await put(store, "s", "m");
      await put(store, "s", "a");
      assert.deepEqual(await waiting(store, "s"), ["z", "m", "a"]);
    },
  },
  {
    name: "the same command put twice waits once and keeps its first payload",
    run: async ({ store }) => {
      await put(store, "s", "c", "1");
      const again = await put(store, "s", "c", "2");
      assert.deepEqual([...again.duplicates], ["c"]);
      const twice = { commandId: "d", session: "s", payload: "3" };
      const done = good(await store.commit({ inbox: { put: [twice, { ...twice, payload: "4" }] } }));
      assert.deepEqual([...done.duplicates], ["d"]);
      assert.deepEqual(
        good(await store.inbox("s")).map(({ payload }) => payload),
        ["1", "3"],
      );
    },
  },
  {
    name: "a command that was taken is known for ever and can be taken once",
    run: async (under) => {
      const { store } = under;
      const lease = await make(under, "s", [["1"]]);
      await put(store, "s", "c");
      good(await append(store, lease, 1, ["2"], { inbox: { take: ["c"] } }));
      assert.deepEqual(await waiting(store, "s"), []);
      assert.deepEqual([...(await put(store, "s", "c")).duplicates], ["c"]);
      assert.deepEqual(await waiting(store, "s"), []);
      refused(await append(store, lease, 2, ["3"], { inbox: { take: ["c"] } }), "conflict");
      assert.equal(await seqOf(store, "s"), 2);
    },
  },
  {
    name: "a command named twice in one taking is refused",
    run: async (under) => {
      const lease = await make(under, "s", [["1"]]);
      await put(under.store, "s", "c");
      refused(await append(under.store, lease, 1, ["2"], { inbox: { take: ["c", "c"] } }), "conflict");
      assert.deepEqual(await waiting(under.store, "s"), ["c"]);
    },
  },
  {
    name: "only the holder of a session takes its commands",
    run: async (under) => {
      const { store } = under;
      const lease = await make(under, "s", [["1"]]);
      const other = await make(under, "t", [["1"]]);
      await put(store, "s", "c");
      refused(await store.commit({ inbox: { take: ["c"] } }), "lease_lost");
      refused(await append(store, other, 1, ["2"], { inbox: { take: ["c"] } }), "lease_lost");
      assert.deepEqual(await waiting(store, "s"), ["c"]);
      good(await store.commit({ inbox: { take: ["c"] }, tokens: [{ session: "s", token: lease.token }] }));
      assert.deepEqual(await waiting(store, "s"), []);
    },
  },
  {
    name: "a release is refused while a command waits, and the lease stays",
    run: async (under) => {
      const { store } = under;
      const lease = await make(under, "s", [["1"]]);
      await put(store, "s", "c");
      const release = [{ session: "s", token: lease.token }];
      refused(await append(store, lease, 1, ["no"], { release }), "conflict");
      assert.equal(await seqOf(store, "s"), 1);
      assert.equal(good(await store.session("s"))?.lease?.token, lease.token);
      good(await append(store, lease, 1, ["2"], { inbox: { take: ["c"] }, release }));
      assert.equal(good(await store.session("s"))?.lease, undefined);
    },
  },
  {
    name: "a release is refused for a command that the same unit puts, but not for one put before that it knows",
    run: async (under) => {
      const { store } = under;
      const lease = await make(under, "s", [["1"]]);
      const release = [{ session: "s", token: lease.token }];
      const command = { commandId: "c", session: "s", payload: "1" };
      refused(await store.commit({ inbox: { put: [command] }, release }), "conflict");
      assert.deepEqual(await waiting(store, "s"), []);
      await put(store, "s", "c");
      good(await append(store, lease, 1, ["2"], { inbox: { take: ["c"] } }));
      const done = good(await store.commit({ inbox: { put: [command] }, release }));
      assert.deepEqual([...done.duplicates], ["c"]);
    },
  },
  {
    name: "a release is refused while a wake is due, and granted when the same unit takes the wake away",
    run: async (under) => {
      const { store, setTime } = under;
      const lease = await make(under, "s", [["1"]]);
      good(await store.commit({ wake: [{ session: "s", name: "t", at: START + 10 }] }));
      const release = [{ session: "s", token: lease.token }];
      setTime(START + 10);
      refused(await store.commit({ release }), "conflict");
      refused(await store.commit({ release, wake: [{ session: "s", name: "u", at: START + 10 }] }), "conflict");
      good(await store.commit({ release, wake: [{ session: "s", name: "t", at: null }] }));
      assert.deepEqual([...good(await store.dueWakes("s"))], []);
    },
  },
  {
    name: "a release does not look at other sessions or at wakes to come",
    run: async (under) => {
      const { store } = under;
      const lease = await make(under, "s", [["1"]]);
      await put(store, "t", "c");
      const wake = [{ session: "s", name: "later", at: START + 1 }];
      good(await store.commit({ wake, release: [{ session: "s", token: lease.token }] }));
      assert.equal(good(await store.session("s"))?.lease, undefined);
    },
  },
  {
    name: "a wake is due from its time on, replaced by one of the same name and deleted by null",
    run: async ({ store, setTime }) => {
      const wake = (name: string, at: number | null) => store.commit({ wake: [{ session: "s", name, at }] });
      good(await wake("a", START + 10));
      good(await wake("b", START + 20));
      assert.deepEqual([...good(await store.dueWakes("s"))], []);
      setTime(START + 9);
      assert.deepEqual([...good(await store.wakeable())], []);
      setTime(START + 10);
      assert.deepEqual([...good(await store.dueWakes("s"))], ["a"]);
      assert.deepEqual([...good(await store.wakeable())], ["s"]);
      good(await wake("a", START + 15));
      assert.deepEqual([...good(await store.dueWakes("s"))], []);
      setTime(START + 20);
      assert.deepEqual([...good(await store.dueWakes("s"))].sort(), ["a", "b"]);
      good(await wake("a", null));
      good(await wake("never", null));
      assert.deepEqual([...good(await store.dueWakes("s"))], ["b"]);
    },
  },
  {
    name: "wakeable names the sessions that nobody holds and something waits for",
    run: async (under) => {
      const { store } = under;
      await put(store, "free", "c1");
      await hold(under, "held");
      await put(store, "held", "c2");
      await hold(under, "quiet");
      good(await store.commit({ wake: [{ session: "timed", name: "t", at: START }] }));
      assert.deepEqual([...good(await store.wakeable())].sort(), ["free", "timed"]);
    },
  },
  {
    name: "the inbox of a session is counted where the session is shown",
    run: async (under) => {
      await make(under, "s", [["1"]]);
      await put(under.store, "s", "c1");
      await put(under.store, "s", "c2");
      assert.equal(good(await under.store.session("s"))?.inboxCount, 2);
    },
  },
  {
    name: "a watcher hears of appends and puts until it stops",
    run: async (under) => {
      const { store } = under;
      const lease = await hold(under, "s");
      const heard: string[] = [];
      const stop = store.watch(({ kind, stream }) => heard.push(`${kind} ${stream}`));
      good(await append(store, lease, 0, ["1"]));
      await eventually(() => heard.includes("append s") || heard.includes("elsewhere null"), "news of an append");
      heard.length = 0;
      await put(store, "t", "c");
      await eventually(() => heard.includes("inbox t") || heard.includes("elsewhere null"), "news of a put");
      stop();
      heard.length = 0;
      good(await store.commit({ appends: [{ stream: "ledger:l", events: [event("1")] }] }));
      let later = 0;
      const stopSecond = store.watch(() => {
        later += 1;
      });
      await put(store, "t", "d");
      await eventually(() => later > 0, "news for the second watcher");
      stopSecond();
      assert.deepEqual(heard, []);
    },
  },
  {
    name: "a second take-over does not lose a command",
    run: async (under) => {
      const { store, owners, setTime } = under;
      const first = await hold(under, "s", owners.elsewhere);
      good(await append(store, first, 0, ["1"]));
      await put(store, "s", "c");
      setTime(START + TTL);
      const second = await hold(under, "s");
      refused(await append(store, first, 1, ["no"], { inbox: { take: ["c"] } }), "lease_lost");
      good(await append(store, second, 1, ["2"], { inbox: { take: ["c"] } }));
      assert.deepEqual(await waiting(store, "s"), []);
    },
  },
];
