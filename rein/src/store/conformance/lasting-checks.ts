import assert from "node:assert/strict";
import { own } from "../../core/json.ts";
import type { Store } from "../../core/session/index.ts";
import {
  append,
  blobOf,
  dataOf,
  event,
  eventually,
  good,
  hold,
  make,
  put,
  refused,
  START,
  seqOf,
  TTL,
  textOfBlob,
  waiting,
} from "./helpers.ts";
import type { Check, ConformanceOptions } from "./types.ts";

/** What must be there again after the store was closed and opened. */
export function reopenChecks(reopen: NonNullable<ConformanceOptions["reopen"]>): readonly Check[] {
  return [
    {
      name: "opened again, a store holds streams, heads, forks and tombstones",
      run: async (under) => {
        await make(under, "s", [["1"], ["2", "3"]]);
        good(await under.store.fork("s", 2, "f"));
        good(await append(under.store, await hold(under, "f"), 2, ["f3"]));
        good(await under.store.erase("s", 1));
        good(await under.store.commit({ appends: [{ stream: "ledger:l", events: [event("1")] }] }));
        const before = good(await under.store.verify());
        const store = await reopen(under);
        assert.deepEqual(good(await store.verify()), before);
        assert.deepEqual(await dataOf(store, "s"), [null, "2", "3"]);
        assert.deepEqual(await dataOf(store, "f"), [null, "2", "f3"]);
        assert.deepEqual({ ...good(await store.session("f"))?.forkedFrom }, { session: "s", seq: 2 });
        assert.deepEqual([...good(await store.losses())], []);
        good(await store.commit({ appends: [{ stream: "ledger:l", events: [event("2")] }] }));
        assert.equal(await seqOf(store, "ledger:l"), 2);
      },
    },
    {
      name: "opened again, a store holds inbox, wakes, leases and what it knows of commands",
      run: async (under) => {
        const lease = await make(under, "s", [["1"]]);
        await put(under.store, "s", "taken");
        await put(under.store, "s", "waits");
        good(await append(under.store, lease, 1, ["2"], { inbox: { take: ["taken"] } }));
        good(await under.store.commit({ wake: [{ session: "s", name: "w", at: START }] }));
        const store = await reopen(under);
        assert.deepEqual(await waiting(store, "s"), ["waits"]);
        assert.deepEqual([...(await put(store, "s", "taken")).duplicates], ["taken"]);
        assert.deepEqual([...good(await store.dueWakes("s"))], ["w"]);
        refused(await store.acquire("s", under.owners.other, TTL), "lease_held");
        good(await append(store, lease, 2, ["3"]));
        assert.equal(good(await store.acquire("s", under.owners.other, TTL, { steal: true })).token, lease.token + 1);
      },
    },
    {
      name: "opened again, a store holds blobs, rows, counters and jobs",
      run: async (under) => {
        const lease = await make(under, "s", [["1"]]);
        const blob = blobOf("s", "bytes");
        const tokens = [{ session: "s", token: lease.token }];
        good(await under.store.commit({ tokens, blobs: [blob], scratch: [{ session: "s", key: "k", value: "v" }] }));
        good(await under.store.commit({ reserve: [{ scope: "d", key: "a", amount: 3, limit: 9 }] }));
        good(await under.store.commit({ reserve: [{ scope: "d", key: "b", amount: 4, limit: 9 }] }));
        good(await under.store.commit({ settle: [{ scope: "d", key: "a", actual: 2 }] }));
        good(await under.store.commit({ enqueue: [{ queue: "q", key: "k", payload: "1" }] }));
        good(await under.store.setCursor("viewer", "s", 1));
        const snapshot = { seq: 1, hash: "ab".repeat(32), version: "1", body: "{}" };
        good(await under.store.saveSnapshot("s", snapshot));
        const store = await reopen(under);
        assert.equal(await textOfBlob(store, blob.hash), "bytes");
        assert.deepEqual([...good(await store.blobs("s"))], [blob.hash]);
        assert.equal(own(good(await store.scratch("s")), "k"), "v");
        assert.deepEqual({ ...good(await store.counter("d")) }, { reserved: 4, spent: 2 });
        assert.equal(good(await store.cursor("viewer", "s")), 1);
        assert.deepEqual({ ...good(await store.snapshot("s")) }, snapshot);
        assert.equal(good(await store.claim("q", under.owners.alive, TTL))?.key, "k");
      },
    },
  ];
}

/** Two openings of the same data, as two processes have them. */
export function sharedChecks(second: NonNullable<ConformanceOptions["second"]>): readonly Check[] {
  const both = async (stores: readonly [Store, Store], work: (store: Store, index: number) => Promise<void>) => {
    await Promise.all(Array.from({ length: 30 }, (_, index) => work(index % 2 === 0 ? stores[0] : stores[1], index)));
  };
  return [
    {
      name: "what one opening commits the other reads, and one lease binds both",
      run: async (under) => {
        const other = await second(under);
        const lease = await make(under, "s", [["1"]]);
        assert.deepEqual(await dataOf(other, "s"), ["1"]);
        refused(await other.acquire("s", under.owners.other, TTL), "lease_held");
        await put(other, "s", "c");
        assert.deepEqual(await waiting(under.store, "s"), ["c"]);
        refused(await under.store.commit({ release: [{ session: "s", token: lease.token }] }), "conflict");
        const stolen = good(await other.acquire("s", under.owners.other, TTL, { steal: true }));
        refused(await append(under.store, lease, 1, ["no"]), "lease_lost");
        good(await append(other, stolen, 1, ["2"]));
        assert.deepEqual(await dataOf(under.store, "s"), ["1", "2"]);
      },
    },
    {
      name: "both openings put commands and write a ledger at once, and nothing is lost or doubled",
      run: async (under) => {
        const other = await second(under);
        await both([under.store, other], async (store, index) => {
          await put(store, "s", `c${index}`);
          await put(store, "s", `c${Math.floor(index / 2)}`);
          good(await store.commit({ appends: [{ stream: "ledger:l", events: [event(String(index))] }] }));
        });
        const names = Array.from({ length: 30 }, (_, index) => index);
        assert.deepEqual([...(await waiting(other, "s"))].sort(), names.map((index) => `c${index}`).sort());
        const texts = await dataOf(under.store, "ledger:l");
        assert.deepEqual(
          texts.map(Number).sort((a, b) => a - b),
          names,
        );
        assert.equal(good(await other.verify()).ok, true);
      },
    },
    {
      name: "of two openings that commit at the same place one wins",
      run: async (under) => {
        const other = await second(under);
        const lease = await make(under, "s", [["0"]]);
        let seq = 1;
        for (let round = 0; round < 10; round += 1) {
          const tries = [under.store, other].map((store) => append(store, lease, seq, [String(seq)]));
          const results = await Promise.all(tries);
          assert.equal(results.filter(({ ok }) => ok).length, 1);
          seq += 1;
        }
        assert.equal(await seqOf(other, "s"), 11);
        assert.equal(good(await under.store.verify("s")).ok, true);
      },
    },
    {
      name: "a watcher hears of what another opening commits",
      run: async (under) => {
        const other = await second(under);
        let heard = 0;
        const stop = under.store.watch(() => {
          heard += 1;
        });
        await put(other, "s", "c");
        await eventually(() => heard > 0, "news of another opening's put");
        stop();
      },
    },
  ];
}
