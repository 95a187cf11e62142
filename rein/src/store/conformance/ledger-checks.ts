import assert from "node:assert/strict";
import { own } from "../../core/json.ts";
import { event, good, refused, tuple } from "./helpers.ts";
import type { Check } from "./types.ts";

const DAY = { scope: "day", limit: 10 };

/** Streams without a holder, and counters with a limit. */
export const ledgerChecks: readonly Check[] = [
  {
    name: "a ledger takes appends without expectedSeq or token and numbers them",
    run: async ({ store }) => {
      for (const data of ["1", "2"]) {
        const done = good(
          await store.commit({ appends: [{ stream: "ledger:l", events: [event(data), event(`${data}0`)] }] }),
        );
        assert.equal(own(done.seqs, "ledger:l"), data === "1" ? 2 : 4);
      }
      assert.deepEqual(
        good(await store.read("ledger:l")).map(({ seq, data }) => [seq, data]),
        [
          [1, "1"],
          [2, "10"],
          [3, "2"],
          [4, "20"],
        ],
      );
      assert.equal(good(await store.head("ledger:l"))?.seq, 4);
    },
  },
  {
    name: "a ledger refuses a token and an expectedSeq, and nobody leases it",
    run: async ({ store, owners }) => {
      const events = [event("1")];
      refused(await store.commit({ appends: [{ stream: "ledger:l", token: 1, events }] }), "invalid_option");
      refused(await store.commit({ appends: [{ stream: "ledger:l", expectedSeq: 0, events }] }), "invalid_option");
      refused(await store.acquire("ledger:l", owners.alive, 1_000), "invalid_option");
      assert.equal(good(await store.head("ledger:l"))?.seq ?? 0, 0);
    },
  },
  {
    name: "appends to one ledger at once leave no gap and lose none",
    run: async ({ store }) => {
      const texts = Array.from({ length: 20 }, (_, index) => String(index));
      const results = await Promise.all(
        texts.map((text) => store.commit({ appends: [{ stream: "ledger:l", events: [event(text)] }] })),
      );
      const places = results.map((result) => own(good(result).seqs, "ledger:l"));
      const events = good(await store.read("ledger:l"));
      assert.deepEqual(
        events.map(({ seq }) => seq),
        texts.map((_, index) => index + 1),
      );
      for (const [index, text] of texts.entries()) {
        const found = events.find(({ seq }) => seq === places[index]);
        assert.equal(found?.data, text, "the number a commit names is where its event stands");
      }
    },
  },
  {
    name: "ledgers are kept apart, and are no sessions",
    run: async ({ store }) => {
      const appends = ["ledger:a", "ledger:b"].map((stream) => ({ stream, events: [event(`"${stream}"`)] }));
      good(await store.commit({ appends }));
      assert.deepEqual(good(await store.read("ledger:a")).map(tuple), [[1, "x.note", 1, event("").at, '"ledger:a"']]);
      assert.deepEqual([...good(await store.sessions())], []);
      assert.equal(good(await store.session("ledger:a")), null);
    },
  },
  {
    name: "reservations fit up to the limit and not beyond",
    run: async ({ store }) => {
      good(await store.commit({ reserve: [{ ...DAY, key: "a", amount: 6 }] }));
      refused(await store.commit({ reserve: [{ ...DAY, key: "b", amount: 5 }] }), "budget_refused");
      good(await store.commit({ reserve: [{ ...DAY, key: "b", amount: 4 }] }));
      refused(await store.commit({ reserve: [{ ...DAY, key: "c", amount: 1 }] }), "budget_refused");
      good(await store.commit({ reserve: [{ ...DAY, key: "nothing", amount: 0 }] }));
      assert.deepEqual({ ...good(await store.counter("day")) }, { reserved: 10, spent: 0 });
      assert.deepEqual({ ...good(await store.counter("night")) }, { reserved: 0, spent: 0 });
    },
  },
  {
    name: "reservations of one unit count together",
    run: async ({ store }) => {
      const reserve = [
        { ...DAY, key: "a", amount: 6 },
        { ...DAY, key: "b", amount: 6 },
      ];
      refused(await store.commit({ reserve }), "budget_refused");
      assert.deepEqual({ ...good(await store.counter("day")) }, { reserved: 0, spent: 0 });
    },
  },
  {
    name: "reservations at once never go over the limit together",
    run: async ({ store }) => {
      const tries = Array.from({ length: 8 }, (_, index) =>
        store.commit({ reserve: [{ ...DAY, key: String(index), amount: 3 }] }),
      );
      const done = (await Promise.all(tries)).filter(({ ok }) => ok).length;
      assert.equal(done, 3);
      assert.equal(good(await store.counter("day")).reserved, 9);
    },
  },
  {
    name: "a settlement turns a reservation into what was spent, more or less",
    run: async ({ store }) => {
      good(await store.commit({ reserve: [{ ...DAY, key: "a", amount: 6 }] }));
      good(await store.commit({ settle: [{ scope: "day", key: "a", actual: 2 }] }));
      assert.deepEqual({ ...good(await store.counter("day")) }, { reserved: 0, spent: 2 });
      good(await store.commit({ reserve: [{ ...DAY, key: "b", amount: 8 }] }));
      good(await store.commit({ settle: [{ scope: "day", key: "b", actual: 30 }] }));
      assert.deepEqual({ ...good(await store.counter("day")) }, { reserved: 0, spent: 32 });
      refused(await store.commit({ reserve: [{ ...DAY, key: "c", amount: 0.5 }] }), "budget_refused");
      good(await store.commit({ reserve: [{ scope: "day", limit: 40, key: "c", amount: 8 }] }));
    },
  },
  {
    name: "one unit settles before it reserves",
    run: async ({ store }) => {
      good(await store.commit({ reserve: [{ ...DAY, key: "a", amount: 10 }] }));
      const settle = [{ scope: "day", key: "a", actual: 1 }];
      good(await store.commit({ reserve: [{ ...DAY, key: "b", amount: 9 }], settle }));
      assert.deepEqual({ ...good(await store.counter("day")) }, { reserved: 9, spent: 1 });
    },
  },
  {
    name: "a reservation is made once and settled once",
    run: async ({ store }) => {
      good(await store.commit({ reserve: [{ ...DAY, key: "a", amount: 2 }] }));
      refused(await store.commit({ reserve: [{ ...DAY, key: "a", amount: 2 }] }), "conflict");
      good(await store.commit({ reserve: [{ scope: "night", limit: 10, key: "a", amount: 2 }] }));
      const settle = [{ scope: "day", key: "a", actual: 2 }];
      good(await store.commit({ settle }));
      refused(await store.commit({ settle }), "conflict");
      refused(await store.commit({ settle: [{ scope: "day", key: "b", actual: 1 }] }), "conflict");
      assert.deepEqual({ ...good(await store.counter("day")) }, { reserved: 0, spent: 2 });
    },
  },
  {
    name: "an amount that is none is refused",
    run: async ({ store }) => {
      for (const amount of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
        refused(await store.commit({ reserve: [{ ...DAY, key: "a", amount }] }), "invalid_option");
      }
      refused(
        await store.commit({ reserve: [{ scope: "day", key: "a", amount: 1, limit: Number.NaN }] }),
        "invalid_option",
      );
      good(await store.commit({ reserve: [{ ...DAY, key: "a", amount: 1 }] }));
      refused(await store.commit({ settle: [{ scope: "day", key: "a", actual: -1 }] }), "invalid_option");
      assert.deepEqual({ ...good(await store.counter("day")) }, { reserved: 1, spent: 0 });
    },
  },
];
