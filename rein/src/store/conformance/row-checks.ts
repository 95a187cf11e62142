import assert from "node:assert/strict";
import { own } from "../../core/json.ts";
import { append, good, hold, make, refused, START, TTL } from "./helpers.ts";
import type { Check } from "./types.ts";

const SNAPSHOT = { seq: 2, hash: "ab".repeat(32), version: "fold-1", body: '{"x":1}' };

/** Scratch rows, cursors, snapshots, jobs. */
export const rowChecks: readonly Check[] = [
  {
    name: "scratch rows are written, replaced and deleted, each session for itself",
    run: async ({ store }) => {
      const set = (session: string, key: string, value: string | null) =>
        store.commit({ scratch: [{ session, key, value }] });
      good(await set("s", "a", "1"));
      good(await set("s", "b", ""));
      good(await set("t", "a", "other"));
      good(await set("s", "a", "2"));
      assert.deepEqual({ ...good(await store.scratch("s")) }, { a: "2", b: "" });
      good(await set("s", "a", null));
      good(await set("s", "never", null));
      assert.deepEqual({ ...good(await store.scratch("s")) }, { b: "" });
      assert.deepEqual({ ...good(await store.scratch("t")) }, { a: "other" });
    },
  },
  {
    name: "while a session is held only its holder writes its scratch rows",
    run: async (under) => {
      const { store, setTime } = under;
      const lease = await make(under, "s", [["1"]]);
      const scratch = [{ session: "s", key: "k", value: "v" }];
      refused(await store.commit({ scratch }), "lease_lost");
      refused(await store.commit({ scratch, tokens: [{ session: "s", token: lease.token + 1 }] }), "lease_lost");
      assert.deepEqual({ ...good(await store.scratch("s")) }, {});
      good(await store.commit({ scratch, tokens: [{ session: "s", token: lease.token }] }));
      good(await append(store, lease, 1, ["2"], { scratch: [{ session: "s", key: "k", value: null }] }));
      assert.deepEqual({ ...good(await store.scratch("s")) }, {});
      setTime(START + TTL);
      good(await store.commit({ scratch }));
      assert.deepEqual({ ...good(await store.scratch("s")) }, { k: "v" });
    },
  },
  {
    name: "a scratch row of a holder who has lost the lease is refused",
    run: async (under) => {
      const { store, owners } = under;
      const stale = await hold(under, "s");
      const fresh = good(await store.acquire("s", owners.other, TTL, { steal: true }));
      const scratch = [{ session: "s", key: "k", value: "v" }];
      refused(await store.commit({ scratch, tokens: [{ session: "s", token: stale.token }] }), "lease_lost");
      good(await store.commit({ scratch, tokens: [{ session: "s", token: fresh.token }] }));
    },
  },
  {
    name: "cursors are kept for each reader and stream",
    run: async (under) => {
      const { store } = under;
      await make(under, "s", [["1", "2", "3"]]);
      await make(under, "t", [["1"]]);
      assert.equal(good(await store.cursor("viewer", "s")), 0);
      good(await store.setCursor("viewer", "s", 2));
      good(await store.setCursor("viewer", "t", 1));
      good(await store.setCursor("other", "s", 3));
      good(await store.setCursor("viewer", "s", 1));
      assert.equal(good(await store.cursor("viewer", "s")), 1);
      assert.equal(good(await store.cursor("viewer", "t")), 1);
      assert.equal(good(await store.cursor("other", "s")), 3);
    },
  },
  {
    name: "the newest snapshot of a session is kept as it was given",
    run: async (under) => {
      const { store } = under;
      await make(under, "s", [["1", "2", "3"]]);
      assert.equal(good(await store.snapshot("s")), null);
      good(await store.saveSnapshot("s", SNAPSHOT));
      assert.deepEqual({ ...good(await store.snapshot("s")) }, SNAPSHOT);
      good(await store.saveSnapshot("s", { ...SNAPSHOT, seq: 3, body: '"é\u0000"' }));
      assert.deepEqual({ ...good(await store.snapshot("s")) }, { ...SNAPSHOT, seq: 3, body: '"é\u0000"' });
      refused(await store.saveSnapshot("nobody", SNAPSHOT), "session_unknown");
    },
  },
  {
    name: "jobs are claimed oldest first, each by one, from the asked queue",
    run: async ({ store, owners }) => {
      const job = (queue: string, key: string) => ({ queue, key, payload: `"${key}"` });
      good(await store.commit({ enqueue: [job("q", "z"), job("other", "o"), job("q", "a")] }));
      const first = good(await store.claim("q", owners.alive, TTL));
      const second = good(await store.claim("q", owners.other, TTL));
      assert.deepEqual([first?.queue, first?.key, first?.payload], ["q", "z", '"z"']);
      assert.deepEqual([second?.queue, second?.key, second?.payload], ["q", "a", '"a"']);
      assert.notEqual(first?.id, second?.id);
      assert.equal(good(await store.claim("q", owners.alive, TTL)), null);
      assert.equal(good(await store.claim("none", owners.alive, TTL)), null);
    },
  },
  {
    name: "of many who claim at once each job goes to one",
    run: async ({ store, owners }) => {
      const enqueue = Array.from({ length: 5 }, (_, index) => ({ queue: "q", key: String(index), payload: "1" }));
      good(await store.commit({ enqueue }));
      const claims = await Promise.all(Array.from({ length: 10 }, () => store.claim("q", owners.alive, TTL)));
      const keys = claims.flatMap((claim) => good(claim)?.key ?? []);
      assert.deepEqual(keys.sort(), ["0", "1", "2", "3", "4"]);
    },
  },
  {
    name: "a claim that expires frees the job, and a finished job is gone",
    run: async ({ store, owners, setTime }) => {
      good(await store.commit({ enqueue: [{ queue: "q", key: "k", payload: "1" }] }));
      const first = good(await store.claim("q", owners.elsewhere, TTL));
      setTime(START + TTL - 1);
      assert.equal(good(await store.claim("q", owners.alive, TTL)), null);
      setTime(START + TTL);
      const second = good(await store.claim("q", owners.alive, TTL));
      assert.equal(second?.id, first?.id);
      good(await store.finish(second?.id ?? ""));
      setTime(START + 3 * TTL);
      assert.equal(good(await store.claim("q", owners.alive, TTL)), null);
    },
  },
  {
    name: "names from outside are no traps: __proto__, constructor, toString",
    run: async (under) => {
      const { store } = under;
      for (const name of ["__proto__", "constructor", "toString"]) {
        const lease = await hold(under, name);
        assert.equal(lease.token, 1);
        const scratch = [{ session: name, key: name, value: name }];
        const done = good(await append(store, lease, 0, ["1"], { scratch }));
        assert.equal(own(done.seqs, name), 1);
        assert.equal(own(good(await store.scratch(name)), name), name);
        assert.equal(own(good(await store.verify(name)).heads, name)?.seq, 1);
        assert.equal(good(await store.cursor(name, name)), 0);
        good(await store.setCursor(name, name, 1));
        assert.equal(good(await store.cursor(name, name)), 1);
        assert.equal(good(await store.counter(name)).spent, 0);
        good(await store.commit({ reserve: [{ scope: name, key: name, amount: 1, limit: 1 }] }));
        assert.equal(good(await store.counter(name)).reserved, 1);
      }
      assert.deepEqual(
        good(await store.sessions())
          .map(({ session }) => session)
          .sort(),
        ["__proto__", "constructor", "toString"],
      );
    },
  },
];
