import assert from "node:assert/strict";
import { own } from "../../core/json.ts";
import type { Commit, Store } from "../../core/session/index.ts";
import {
  append,
  blobOf,
  dataOf,
  event,
  good,
  hold,
  make,
  put,
  refused,
  seqOf,
  TTL,
  textOfBlob,
  waiting,
} from "./helpers.ts";
import type { Check } from "./types.ts";

const note = blobOf("s", "a blob of s");

/** A unit with every part there is, all of them fit to be done. */
function wholeUnit(token: number): Commit {
  return {
    appends: [
      { stream: "s", expectedSeq: 1, token, events: [event('"two"'), event('"three"')] },
      { stream: "ledger:spent", events: [event('"entry"')] },
    ],
    inbox: { put: [{ commandId: "new", session: "s", payload: "{}" }], take: ["old"] },
    blobs: [note],
    scratch: [{ session: "s", key: "partial", value: "text" }],
    reserve: [{ scope: "day", key: "call", amount: 5, limit: 10 }],
    wake: [{ session: "s", name: "timer", at: 0 }],
    enqueue: [{ queue: "work", key: "k", payload: "{}" }],
  };
}

/** What the parts of {@link wholeUnit} left in the store. Claims a job, so it comes last. */
async function traces(store: Store, job: string): Promise<Readonly<Record<string, unknown>>> {
  return {
    seq: await seqOf(store, "s"),
    ledger: await seqOf(store, "ledger:spent"),
    inbox: await waiting(store, "s"),
    blob: await textOfBlob(store, note.hash),
    scratch: good(await store.scratch("s")).partial ?? null,
    counter: good(await store.counter("day")).reserved,
    wakes: good(await store.dueWakes("s")),
    job,
  };
}

/** Parts that are refused, with the code of the refusal, each to be put into the unit that is otherwise good. */
const REFUSED: readonly {
  readonly name: string;
  readonly code: Parameters<typeof refused>[1];
  readonly part: (unit: Commit, token: number) => Commit;
}[] = [
  {
    name: "another session's append with a wrong expectedSeq",
    code: "conflict",
    part: (unit) => ({
      ...unit,
      appends: [...(unit.appends ?? []), { stream: "t", expectedSeq: 7, token: 1, events: [event("1")] }],
    }),
  },
  {
    name: "another session's append with a wrong token",
    code: "lease_lost",
    part: (unit) => ({
      ...unit,
      appends: [...(unit.appends ?? []), { stream: "t", expectedSeq: 1, token: 9, events: [event("1")] }],
    }),
  },
  {
    name: "a token that is not current",
    code: "lease_lost",
    part: (unit) => ({ ...unit, tokens: [{ session: "t", token: 9 }] }),
  },
  {
    name: "a reservation over the limit",
    code: "budget_refused",
    part: (unit) => ({
      ...unit,
      reserve: [...(unit.reserve ?? []), { scope: "day", key: "more", amount: 6, limit: 10 }],
    }),
  },
  {
    name: "the settlement of what was never reserved",
    code: "conflict",
    part: (unit) => ({ ...unit, settle: [{ scope: "day", key: "unheard", actual: 1 }] }),
  },
  {
    name: "the taking of a command that does not wait",
    code: "conflict",
    part: (unit) => ({ ...unit, inbox: { ...unit.inbox, take: ["old", "unheard"] } }),
  },
  {
    name: "the release of a session for which this unit puts a command",
    code: "conflict",
    part: (unit, token) => ({ ...unit, release: [{ session: "s", token }] }),
  },
  {
    name: "a blob whose hash is not that of its bytes",
    code: "event_invalid",
    part: (unit) => ({ ...unit, blobs: [note, { ...note, bytes: new Uint8Array([1]) }] }),
  },
  {
    name: "an event whose data holds half of a surrogate pair",
    code: "event_invalid",
    part: (unit) => ({
      ...unit,
      appends: [...(unit.appends ?? []), { stream: "ledger:x", events: [event('"\ud800"')] }],
    }),
  },
];

/** One atomic unit: all of it or nothing. */
export const commitChecks: readonly Check[] = [
  {
    name: "a unit does every part of it",
    run: async (under) => {
      const { store, owners } = under;
      const lease = await make(under, "s", [['"one"']]);
      await put(store, "s", "old");
      const done = good(await store.commit(wholeUnit(lease.token)));
      assert.equal(own(done.seqs, "s"), 3);
      assert.equal(own(done.seqs, "ledger:spent"), 1);
      assert.deepEqual([...done.duplicates], []);
      const job = good(await store.claim("work", owners.alive, TTL))?.key ?? "none";
      assert.deepEqual(await traces(store, job), {
        seq: 3,
        ledger: 1,
        inbox: ["new"],
        blob: "a blob of s",
        scratch: "text",
        counter: 5,
        wakes: ["timer"],
        job: "k",
      });
    },
  },
  ...REFUSED.map(({ name, code, part }) => ({
    name: `a unit is refused as a whole for ${name}`,
    run: async (under: Parameters<Check["run"]>[0]) => {
      const { store, owners } = under;
      const lease = await make(under, "s", [['"one"']]);
      await make(under, "t", [['"one"']]);
      await put(store, "s", "old");
      refused(await store.commit(part(wholeUnit(lease.token), lease.token)), code);
      const job = good(await store.claim("work", owners.alive, TTL))?.key ?? "none";
      assert.deepEqual(await traces(store, job), {
        seq: 1,
        ledger: 0,
        inbox: ["old"],
        blob: null,
        scratch: null,
        counter: 0,
        wakes: [],
        job: "none",
      });
      assert.deepEqual(await dataOf(store, "t"), ['"one"']);
      assert.equal(good(await store.session("s"))?.lease?.token, lease.token, "the lease is untouched");
      // What was refused must have left no trace that stands in the way of the same unit without its bad part.
      good(await store.commit(wholeUnit(lease.token)));
    },
  })),
  {
    name: "an append at another place than the newest is a conflict and changes nothing",
    run: async (under) => {
      const lease = await make(under, "s", [["1", "2"]]);
      for (const expectedSeq of [0, 1, 3, -1])
        refused(await append(under.store, lease, expectedSeq, ["9"]), "conflict");
      assert.deepEqual(await dataOf(under.store, "s"), ["1", "2"]);
    },
  },
  {
    name: "two appends of one unit to one session stand on each other",
    run: async (under) => {
      const { store } = under;
      const lease = await hold(under, "s");
      const second = { stream: "s", expectedSeq: 2, token: lease.token, events: [event("3")] };
      const done = good(await append(store, lease, 0, ["1", "2"], { appends: [second] }));
      assert.equal(own(done.seqs, "s"), 3);
      refused(await append(store, lease, 3, ["4"], { appends: [{ ...second, expectedSeq: 3 }] }), "conflict");
      assert.deepEqual(await dataOf(store, "s"), ["1", "2", "3"]);
    },
  },
  {
    name: "of many commits at once with the same expectedSeq exactly one is done",
    run: async (under) => {
      const lease = await make(under, "s", [["0"]]);
      const tries = Array.from({ length: 8 }, (_, index) => append(under.store, lease, 1, [String(index + 1)]));
      const results = await Promise.all(tries);
      const winners = results.flatMap((result, index) => (result.ok ? [String(index + 1)] : []));
      assert.equal(winners.length, 1);
      for (const result of results) if (!result.ok) assert.equal(result.error.code, "conflict");
      assert.deepEqual(await dataOf(under.store, "s"), ["0", ...winners]);
    },
  },
  {
    name: "a session's append needs expectedSeq and token",
    run: async (under) => {
      const lease = await hold(under, "s");
      const events = [event("1")];
      refused(await under.store.commit({ appends: [{ stream: "s", expectedSeq: 0, events }] }), "invalid_option");
      refused(await under.store.commit({ appends: [{ stream: "s", token: lease.token, events }] }), "invalid_option");
      assert.equal(await seqOf(under.store, "s"), 0);
    },
  },
  {
    name: "an append without events shows its token and place and adds nothing",
    run: async (under) => {
      const lease = await make(under, "s", [["1"]]);
      const before = good(await under.store.head("s"));
      good(await append(under.store, lease, 1, [], { scratch: [{ session: "s", key: "k", value: "v" }] }));
      refused(await append(under.store, lease, 0, []), "conflict");
      refused(await append(under.store, { ...lease, token: 9 }, 1, []), "lease_lost");
      assert.deepEqual({ ...good(await under.store.head("s")) }, { ...before });
      assert.equal(good(await under.store.scratch("s")).k, "v");
    },
  },
  {
    name: "an empty unit is done",
    run: async ({ store }) => {
      const done = good(await store.commit({}));
      assert.deepEqual(Object.keys(done.seqs), []);
      assert.deepEqual([...done.duplicates], []);
    },
  },
  {
    name: "a commit with a barrier is done as any other",
    run: async (under) => {
      const lease = await hold(under, "s");
      good(await append(under.store, lease, 0, ["1"], { durability: "barrier" }));
      good(await append(under.store, lease, 1, ["2"], { durability: "normal" }));
      assert.deepEqual(await dataOf(under.store, "s"), ["1", "2"]);
    },
  },
];
