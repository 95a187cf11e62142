import assert from "node:assert/strict";
import { append, blobOf, event, good, hold, make, refused, START, TTL, tuple } from "./helpers.ts";
import type { Check } from "./types.ts";

const YEAR = 365 * 24 * 3_600_000;

/** Ranges, heads, and the list of sessions. */
export const readingChecks: readonly Check[] = [
  {
    name: "events come back with type, version, time and data as they were given",
    run: async (under) => {
      const { store } = under;
      const { token } = await hold(under, "s");
      const events = [
        { type: "a.b", version: 1, at: START + 5, data: '{"a":1.0}' },
        { type: "x.c", version: 42, at: START - YEAR, data: "null" },
        { type: "a.b", version: 2, at: -1, data: ' {"b" : [ ] }\n' },
      ];
      good(await store.commit({ appends: [{ stream: "s", expectedSeq: 0, token, events }] }));
      assert.deepEqual(
        good(await store.read("s")).map(tuple),
        events.map(({ type, version, at, data }, index) => [index + 1, type, version, at, data]),
      );
    },
  },
  {
    name: "any range is read, across appends and inside them, with a limit",
    run: async (under) => {
      const { store } = under;
      await make(under, "s", [["1", "2", "3"], ["4"], ["5", "6"]]);
      const range = async (given: { from?: number; to?: number; limit?: number }) =>
        good(await store.read("s", given))
          .map(({ seq, data }) => (String(seq) === data ? data : `${seq}:${data}`))
          .join("");
      for (let from = 1; from <= 7; from += 1) {
        for (let to = 1; to <= 8; to += 1) {
          assert.equal(await range({ from, to }), "123456".slice(from - 1, Math.max(to, from - 1)), `${from} to ${to}`);
        }
      }
      assert.equal(await range({}), "123456");
      assert.equal(await range({ from: 3 }), "3456");
      assert.equal(await range({ to: 2 }), "12");
      assert.equal(await range({ limit: 4 }), "1234");
      assert.equal(await range({ from: 2, limit: 3 }), "234");
      assert.equal(await range({ from: 2, to: 3, limit: 9 }), "23");
      assert.equal(await range({ limit: 0 }), "");
      assert.equal(await range({ from: 100 }), "");
    },
  },
  {
    name: "an unknown stream is told apart from an empty range",
    run: async ({ store }) => {
      refused(await store.read("nobody"), "session_unknown");
      refused(await store.read("ledger:nothing"), "session_unknown");
      refused(await store.verify("nobody"), "session_unknown");
      assert.equal(good(await store.head("nobody")), null);
      assert.equal(good(await store.session("nobody")), null);
      assert.deepEqual([...good(await store.inbox("nobody"))], []);
      assert.deepEqual([...good(await store.dueWakes("nobody"))], []);
      assert.deepEqual({ ...good(await store.scratch("nobody")) }, {});
      assert.equal(good(await store.cursor("reader", "nobody")), 0);
      assert.equal(good(await store.snapshot("nobody")), null);
      refused(await store.remove("nobody"), "session_unknown");
    },
  },
  {
    name: "a session that was only taken or written to has no event and is not listed",
    run: async (under) => {
      const { store } = under;
      await hold(under, "taken");
      good(await store.commit({ inbox: { put: [{ session: "written", commandId: "c", payload: "1" }] } }));
      assert.deepEqual([...good(await store.sessions())], []);
      assert.equal(good(await store.head("taken"))?.seq ?? 0, 0);
      assert.equal(good(await store.head("written"))?.seq ?? 0, 0);
    },
  },
  {
    name: "the head moves with every append and is another for every session",
    run: async (under) => {
      const { store } = under;
      const hashes = new Set<string>(["0".repeat(64)]);
      for (const session of ["a", "b"]) {
        const lease = await hold(under, session);
        for (const seq of [0, 1, 2]) {
          good(await append(store, lease, seq, ["same"]));
          const head = good(await store.head(session));
          assert.equal(head?.seq, seq + 1);
          assert.match(head?.hash ?? "", /^[0-9a-f]{64}$/);
          hashes.add(head?.hash ?? "");
        }
      }
      assert.equal(hashes.size, 7);
    },
  },
  {
    name: "sessions are listed newest use first, with a limit",
    run: async (under) => {
      const { store, setTime } = under;
      const first = await make(under, "a", [["1"]]);
      setTime(START + 10);
      await make(under, "b", [["1"]]);
      setTime(START + 20);
      await make(under, "c", [["1"]]);
      setTime(START + 30);
      good(await append(store, first, 1, ["2"]));
      const listed = good(await store.sessions());
      assert.deepEqual(
        listed.map(({ session, createdAt, updatedAt, head }) => [session, createdAt, updatedAt, head.seq]),
        [
          ["a", START, START + 30, 2],
          ["c", START + 20, START + 20, 1],
          ["b", START + 10, START + 10, 1],
        ],
      );
      assert.deepEqual({ ...listed[0]?.head }, { ...good(await store.head("a")) });
      const two = good(await store.sessions({ limit: 2 }));
      assert.deepEqual(
        two.map(({ session }) => session),
        ["a", "c"],
      );
    },
  },
  {
    name: "a session used while the clock was a year ahead does not stay in front (C-076)",
    run: async (under) => {
      const { store, setTime } = under;
      setTime(START + YEAR);
      const future = await make(under, "future", [["1"]]);
      setTime(START);
      await make(under, "now", [["1"]]);
      const order = async () => good(await store.sessions()).map(({ session }) => session);
      assert.deepEqual(await order(), ["now", "future"]);
      good(await append(store, future, 1, ["2"]));
      assert.deepEqual(await order(), ["future", "now"]);
      assert.equal(good(await store.read("future")).length, 2);
    },
  },
  {
    name: "messages after a step of the clock stand behind those before it (C-074)",
    run: async (under) => {
      const { store, setTime } = under;
      const { token } = await hold(under, "s");
      for (let seq = 0; seq < 6; seq += 1) {
        const at = seq < 3 ? START : START - 3_600_000;
        setTime(at);
        const events = [{ ...event(String(seq)), at }];
        good(await store.commit({ appends: [{ stream: "s", expectedSeq: seq, token, events }] }));
      }
      assert.deepEqual(
        good(await store.read("s")).map(({ data }) => data),
        ["0", "1", "2", "3", "4", "5"],
      );
    },
  },
  {
    name: "the clock is the store's own",
    run: async ({ store, setTime }) => {
      setTime(START + 123);
      assert.equal(store.now(), START + 123);
    },
  },
  {
    name: "a store that was closed takes nothing more, and may be closed again",
    run: async (under) => {
      const { store, owners } = under;
      const lease = await make(under, "s", [["1"]]);
      good(await store.close());
      good(await store.close());
      refused(await append(store, lease, 1, ["2"]), "invalid_state");
      refused(await store.commit({ blobs: [blobOf("s", "b")] }), "invalid_state");
      refused(await store.acquire("t", owners.alive, TTL), "invalid_state");
      refused(await store.fork("s", 1, "f"), "invalid_state");
    },
  },
];
