import assert from "node:assert/strict";
import { append, dataOf, event, good, hold, make, put, refused, START, seqOf, TTL, tuple, waiting } from "./helpers.ts";
import type { Check } from "./types.ts";

const APPENDS = [["1"], ["2", "3", "4"], ["5"]];

/** Forks share the past of their parent and nothing else. */
export const forkChecks: readonly Check[] = [
  {
    name: "a fork at any seq, in the middle of an append too, holds exactly the events up to there",
    run: async (under) => {
      const { store } = under;
      await make(under, "p", APPENDS);
      const parent = good(await store.read("p")).map(tuple);
      for (const seq of [1, 2, 3, 4, 5]) {
        const head = good(await store.fork("p", seq, `f${seq}`));
        assert.equal(head.seq, seq);
        assert.deepEqual({ ...good(await store.head(`f${seq}`)) }, { ...head });
        assert.deepEqual(good(await store.read(`f${seq}`)).map(tuple), parent.slice(0, seq));
      }
      assert.equal(good(await store.verify()).ok, true);
    },
  },
  {
    name: "a fork continues the chain of its parent",
    run: async (under) => {
      const { store } = under;
      await make(under, "p", APPENDS);
      const hash = good(await store.head("p"))?.hash;
      const fork = good(await store.fork("p", 5, "f"));
      assert.equal(fork.hash, hash);
      good(await append(store, await hold(under, "f"), 5, ["6"]));
      assert.notEqual(good(await store.head("f"))?.hash, hash);
      assert.equal(good(await store.head("p"))?.hash, hash);
    },
  },
  {
    name: "a fork goes its own way and the parent its own",
    run: async (under) => {
      const { store } = under;
      const parent = await make(under, "p", APPENDS);
      good(await store.fork("p", 3, "f"));
      const fork = await hold(under, "f");
      good(await append(store, parent, 5, ["p6"]));
      good(await append(store, fork, 3, ["f4", "f5"]));
      good(await append(store, parent, 6, ["p7"]));
      good(await append(store, fork, 5, ["f6"]));
      assert.deepEqual(await dataOf(store, "f"), ["1", "2", "3", "f4", "f5", "f6"]);
      assert.deepEqual(await dataOf(store, "p"), ["1", "2", "3", "4", "5", "p6", "p7"]);
      refused(await append(store, fork, 3, ["no"]), "conflict");
      assert.equal(good(await store.verify()).ok, true);
    },
  },
  {
    name: "a range that begins in the parent and ends in the fork is read in order",
    run: async (under) => {
      const { store } = under;
      await make(under, "p", APPENDS);
      good(await store.fork("p", 3, "f"));
      const lease = await hold(under, "f");
      good(await append(store, lease, 3, ["f4", "f5"]));
      const range = async (from: number, to: number, limit = 100) =>
        good(await store.read("f", { from, to, limit })).map(({ data }) => data);
      assert.deepEqual(await range(2, 4), ["2", "3", "f4"]);
      assert.deepEqual(await range(3, 3), ["3"]);
      assert.deepEqual(await range(1, 2), ["1", "2"]);
      assert.deepEqual(await range(2, 2), ["2"]);
      assert.deepEqual(await range(5, 5), ["f5"]);
      assert.deepEqual(await range(4, 9), ["f4", "f5"]);
      assert.deepEqual(await range(1, 9, 4), ["1", "2", "3", "f4"]);
    },
  },
  {
    name: "forks of forks read through all of them, at places before and behind the last fork",
    run: async (under) => {
      const { store } = under;
      await make(under, "a", APPENDS);
      good(await store.fork("a", 4, "b"));
      good(await append(store, await hold(under, "b"), 4, ["b5", "b6"]));
      good(await store.fork("b", 5, "c"));
      good(await append(store, await hold(under, "c"), 5, ["c6"]));
      good(await store.fork("c", 2, "d"));
      good(await append(store, await hold(under, "d"), 2, ["d3"]));
      good(await store.fork("c", 4, "e"));
      assert.deepEqual(await dataOf(store, "c"), ["1", "2", "3", "4", "b5", "c6"]);
      assert.deepEqual(await dataOf(store, "d"), ["1", "2", "d3"]);
      assert.deepEqual(await dataOf(store, "e"), ["1", "2", "3", "4"]);
      assert.deepEqual({ ...good(await store.session("d"))?.forkedFrom }, { session: "c", seq: 2 });
      for (const session of ["a", "b", "c", "d", "e"])
        assert.equal(good(await store.verify(session)).ok, true, session);
    },
  },
  {
    name: "a fork says where it comes from and brings nothing but events along",
    run: async (under) => {
      const { store, setTime } = under;
      const parent = await make(under, "p", APPENDS);
      await put(store, "p", "c");
      const tokens = [{ session: "p", token: parent.token }];
      const wake = [{ session: "p", name: "w", at: START }];
      good(await store.commit({ tokens, wake, scratch: [{ session: "p", key: "k", value: "v" }] }));
      good(await store.saveSnapshot("p", { seq: 1, hash: "0".repeat(64), version: "1", body: "{}" }));
      setTime(START + 100);
      good(await store.fork("p", 5, "f"));
      const info = good(await store.session("f"));
      assert.deepEqual({ ...info?.forkedFrom }, { session: "p", seq: 5 });
      assert.equal(info?.createdAt, START + 100);
      assert.equal(info?.lease, undefined);
      assert.equal(info?.inboxCount, 0);
      assert.deepEqual(await waiting(store, "f"), []);
      assert.deepEqual([...good(await store.dueWakes("f"))], []);
      assert.deepEqual({ ...good(await store.scratch("f")) }, {});
      assert.equal(good(await store.snapshot("f")), null);
      const lease = good(await store.acquire("f", under.owners.other, TTL));
      refused(await append(store, { ...lease, token: lease.token + parent.token }, 5, ["no"]), "lease_lost");
      assert.equal(good(await store.session("p"))?.forkedFrom, undefined);
    },
  },
  {
    name: "a fork of what is not there is refused",
    run: async (under) => {
      const { store } = under;
      await make(under, "p", APPENDS);
      for (const seq of [0, -1, 6, 1.5, Number.NaN]) refused(await store.fork("p", seq, "f"), "invalid_option");
      refused(await store.fork("nobody", 1, "f"), "session_unknown");
      refused(await store.fork("p", 1, "p"), "session_exists");
      good(await store.fork("p", 1, "f"));
      refused(await store.fork("p", 2, "f"), "session_exists");
      assert.deepEqual(await dataOf(store, "f"), ["1"]);
      refused(await store.fork("p", 1, "ledger:f"), "invalid_option");
      good(await store.commit({ appends: [{ stream: "ledger:l", events: [event("1")] }] }));
      refused(await store.fork("ledger:l", 1, "g"), "invalid_option");
    },
  },
  {
    name: "a fork outlives its parent, and a new session may take the parent's id",
    run: async (under) => {
      const { store } = under;
      await make(under, "p", APPENDS);
      good(await store.fork("p", 3, "f"));
      good(await store.fork("f", 2, "g"));
      good(await store.remove("p"));
      good(await append(store, await hold(under, "f"), 3, ["f4"]));
      assert.deepEqual(await dataOf(store, "f"), ["1", "2", "3", "f4"]);
      await make(under, "p", [["new"]]);
      good(await store.remove("f"));
      assert.deepEqual(await dataOf(store, "g"), ["1", "2"]);
      assert.deepEqual(await dataOf(store, "p"), ["new"]);
      assert.deepEqual({ ...good(await store.session("g"))?.forkedFrom }, { session: "f", seq: 2 });
      const found = good(await store.verify());
      assert.deepEqual([...found.findings], []);
      assert.deepEqual(Object.keys(found.heads).sort(), ["g", "p"]);
    },
  },
  {
    name: "a removed session is gone with all that was its own",
    run: async (under) => {
      const { store } = under;
      const lease = await make(under, "s", APPENDS);
      await put(store, "s", "c");
      const tokens = [{ session: "s", token: lease.token }];
      const scratch = [{ session: "s", key: "k", value: "v" }];
      good(await store.commit({ tokens, scratch, wake: [{ session: "s", name: "w", at: START }] }));
      good(await store.saveSnapshot("s", { seq: 5, hash: "0".repeat(64), version: "1", body: "{}" }));
      good(await store.remove("s"));
      assert.equal(good(await store.session("s")), null);
      assert.equal(await seqOf(store, "s"), 0);
      refused(await store.read("s"), "session_unknown");
      assert.deepEqual([...good(await store.sessions())], []);
      assert.deepEqual([...good(await store.wakeable())], []);
      assert.deepEqual({ ...good(await store.scratch("s")) }, {});
      assert.equal(good(await store.snapshot("s")), null);
      refused(await append(store, lease, 0, ["no"]), "lease_lost");
      refused(await store.remove("s"), "session_unknown");
    },
  },
  {
    name: "a new session with the id of a removed one gives tokens that its old holder never had",
    run: async (under) => {
      const old = await make(under, "s", [["1"]]);
      good(await under.store.remove("s"));
      const fresh = await hold(under, "s");
      assert.ok(fresh.token > old.token, `${fresh.token} > ${old.token}`);
      refused(await append(under.store, old, 0, ["no"]), "lease_lost");
      good(await append(under.store, fresh, 0, ["new"]));
      assert.deepEqual(await dataOf(under.store, "s"), ["new"]);
    },
  },
];
