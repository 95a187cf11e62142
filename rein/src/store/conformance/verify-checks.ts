import assert from "node:assert/strict";
import { own } from "../../core/json.ts";
import type { Store } from "../../core/session/index.ts";
import { append, event, good, hold, make, refused } from "./helpers.ts";
import type { Check, ConformanceOptions, Harm, StoreUnderTest } from "./types.ts";

const APPENDS = [["1"], ["2", "3", "4"], ["5"]];

/** What verify says of a store that nobody has harmed. */
export const verifyChecks: readonly Check[] = [
  {
    name: "an empty store verifies",
    run: async ({ store }) => {
      const found = good(await store.verify());
      assert.deepEqual([found.ok, found.streams, found.events, found.erased], [true, 0, 0, 0]);
      assert.deepEqual([...good(await store.losses())], []);
    },
  },
  {
    name: "verify counts streams, events and tombstones and gives the heads",
    run: async (under) => {
      const { store } = under;
      await make(under, "a", APPENDS);
      await make(under, "b", [["1"]]);
      good(await store.commit({ appends: [{ stream: "ledger:l", events: [event("1"), event("2")] }] }));
      good(await store.erase("a", 2));
      const found = good(await store.verify());
      assert.deepEqual([found.ok, found.streams, found.events, found.erased], [true, 3, 8, 1]);
      assert.deepEqual([...found.findings], []);
      for (const stream of ["a", "b", "ledger:l"]) {
        assert.deepEqual({ ...own(found.heads, stream) }, { ...good(await store.head(stream)) });
      }
      const one = good(await store.verify("a"));
      assert.deepEqual([one.ok, one.streams, one.events, one.erased], [true, 1, 5, 1]);
      assert.deepEqual(Object.keys(one.heads), ["a"]);
    },
  },
  {
    name: "verify says the same twice and an append after it moves only its own head",
    run: async (under) => {
      const { store } = under;
      const a = await make(under, "a", APPENDS);
      await make(under, "b", APPENDS);
      const first = good(await store.verify());
      assert.deepEqual(good(await store.verify()).heads, first.heads);
      good(await append(store, a, 5, ["6"]));
      const second = good(await store.verify());
      assert.deepEqual(own(second.heads, "b"), own(first.heads, "b"));
      assert.equal(own(second.heads, "a")?.seq, 6);
      assert.equal(second.ok, true);
    },
  },
];

/** Harm to an append must be found and placed, by verify and, where bytes are read, by read. */
export function tamperChecks(tamper: NonNullable<ConformanceOptions["tamper"]>): readonly Check[] {
  const found = async (store: Store, harm: Harm, stream: string): Promise<void> => {
    const verification = good(await store.verify(stream));
    assert.equal(verification.ok, false, `${harm.what} of event ${harm.seq} was changed, and verify says nothing`);
    const damage = verification.findings.filter(({ kind }) => kind === "damage");
    const places = damage.map(({ from = 0, to = 0 }) => `${from} to ${to}`);
    assert.ok(
      damage.some(({ from = 0, to = 0 }) => from <= harm.seq && harm.seq <= to),
      `damage of event ${harm.seq} was placed at ${places.join(", ") || "no place"}`,
    );
    assert.equal(good(await store.verify()).ok, false);
  };
  const harms = (["data", "type", "at", "append"] as const).flatMap((what) => [1, 3, 5].map((seq) => ({ what, seq })));
  return [
    ...harms.map(({ what, seq }) => ({
      name: `a changed ${what} of event ${seq} is found and placed`,
      run: async (under: StoreUnderTest) => {
        await make(under, "s", APPENDS);
        await make(under, "whole", APPENDS);
        const harm = { stream: "s", seq, what };
        const store = await tamper(under, harm);
        await found(store, harm, "s");
        assert.equal(good(await store.verify("whole")).ok, true);
      },
    })),
    {
      name: "changed data is never read as if it were whole, and the error names the place",
      run: async (under) => {
        await make(under, "s", APPENDS);
        const store = await tamper(under, { stream: "s", seq: 5, what: "data" });
        const error = refused(await store.read("s"), "store_damaged");
        assert.notDeepEqual(Object.keys(error.place ?? {}), [], "the error has a place");
        refused(await store.read("s", { from: 5, to: 5 }), "store_damaged");
        assert.equal(good(await store.read("s", { to: 4 })).length, 4, "what is whole can still be read");
      },
    },
    {
      name: "harm to a parent is found from its fork, harm behind the fork is not the fork's",
      run: async (under) => {
        await make(under, "p", APPENDS);
        good(await under.store.fork("p", 3, "f"));
        good(await under.store.fork("p", 1, "g"));
        good(await append(under.store, await hold(under, "f"), 3, ["f4"]));
        const harm: Harm = { stream: "p", seq: 2, what: "data" };
        const store = await tamper(under, harm);
        await found(store, harm, "f");
        await found(store, harm, "p");
        assert.equal(good(await store.verify("g")).ok, true);
      },
    },
    {
      name: "harm to a tombstone's envelope is found",
      run: async (under) => {
        await make(under, "s", APPENDS);
        good(await under.store.erase("s", 3));
        const harm: Harm = { stream: "s", seq: 3, what: "type" };
        await found(await tamper(under, harm), harm, "s");
      },
    },
  ];
}
