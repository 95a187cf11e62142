import assert from "node:assert/strict";
import type { EventToStore } from "../../core/session/index.ts";
import { append, blobOf, dataOf, event, good, hold, make, refused, START, textOfBlob, tuple } from "./helpers.ts";
import type { Check } from "./types.ts";

const APPENDS = [["1"], ["2", "3", "4"], ["5"]];

/** What is erased is gone everywhere, and the chain holds. */
export const eraseChecks: readonly Check[] = [
  {
    name: "an erased event leaves its envelope, the others stay, the chain holds",
    run: async (under) => {
      const { store } = under;
      const lease = await make(under, "s", APPENDS);
      const head = good(await store.head("s"));
      good(await store.erase("s", 3));
      const events = good(await store.read("s"));
      assert.deepEqual(events.map(tuple)[2], [3, "x.note", 1, START, null]);
      assert.deepEqual(await dataOf(store, "s"), ["1", "2", null, "4", "5"]);
      assert.deepEqual({ ...good(await store.head("s")) }, { ...head });
      const found = good(await store.verify("s"));
      assert.deepEqual([found.ok, found.events, found.erased, [...found.findings]], [true, 5, 1, []]);
      good(await append(store, lease, 5, ["6"]));
      assert.deepEqual(good(await store.read("s", { from: 3, to: 3 })).map(tuple), [[3, "x.note", 1, START, null]]);
      assert.equal(good(await store.verify()).ok, true);
    },
  },
  {
    name: "every event can be erased, the first and the newest too, and once more",
    run: async (under) => {
      const { store } = under;
      const lease = await make(under, "s", APPENDS);
      for (const seq of [1, 5, 2, 3, 4, 4]) good(await store.erase("s", seq));
      assert.deepEqual(await dataOf(store, "s"), [null, null, null, null, null]);
      good(await append(store, lease, 5, ["6"]));
      const found = good(await store.verify("s"));
      assert.deepEqual([found.ok, found.erased], [true, 5]);
    },
  },
  {
    name: "erasing in a parent holds for its forks, erasing in a fork for its parent",
    run: async (under) => {
      const { store } = under;
      await make(under, "p", APPENDS);
      good(await store.fork("p", 3, "f"));
      good(await append(store, await hold(under, "f"), 3, ["f4"]));
      good(await store.fork("f", 4, "g"));
      good(await store.fork("p", 2, "h"));
      good(await store.erase("p", 3));
      good(await store.erase("g", 1));
      good(await store.erase("g", 4));
      assert.deepEqual(await dataOf(store, "p"), [null, "2", null, "4", "5"]);
      assert.deepEqual(await dataOf(store, "f"), [null, "2", null, null]);
      assert.deepEqual(await dataOf(store, "g"), [null, "2", null, null]);
      assert.deepEqual(await dataOf(store, "h"), [null, "2"]);
      for (const session of ["p", "f", "g", "h"]) assert.equal(good(await store.verify(session)).ok, true, session);
    },
  },
  {
    name: "an erased event stays erased in forks made later and when its parent is gone",
    run: async (under) => {
      const { store } = under;
      await make(under, "p", APPENDS);
      good(await store.erase("p", 2));
      good(await store.fork("p", 4, "f"));
      good(await store.remove("p"));
      assert.deepEqual(await dataOf(store, "f"), ["1", null, "3", "4"]);
      assert.equal(good(await store.verify("f")).ok, true);
    },
  },
  {
    name: "the same text elsewhere is not erased",
    run: async (under) => {
      await make(under, "a", [['"same"', '"same"']]);
      await make(under, "b", [['"same"']]);
      good(await under.store.erase("a", 1));
      assert.deepEqual(await dataOf(under.store, "a"), [null, '"same"']);
      assert.deepEqual(await dataOf(under.store, "b"), ['"same"']);
    },
  },
  {
    name: "a snapshot that may repeat what was erased goes, here and in forks; an older one stays",
    run: async (under) => {
      const { store } = under;
      await make(under, "p", APPENDS);
      good(await store.fork("p", 4, "f"));
      good(await store.fork("p", 4, "g"));
      const snapshot = { hash: "0".repeat(64), version: "1", body: "{}" };
      good(await store.saveSnapshot("p", { ...snapshot, seq: 5 }));
      good(await store.saveSnapshot("f", { ...snapshot, seq: 4 }));
      good(await store.saveSnapshot("g", { ...snapshot, seq: 2 }));
      good(await store.erase("p", 3));
      assert.equal(good(await store.snapshot("p")), null);
      assert.equal(good(await store.snapshot("f")), null);
      assert.equal(good(await store.snapshot("g"))?.seq, 2);
    },
  },
  {
    name: "blobs named with an erasure go for every session that shares the event, and for no other",
    run: async (under) => {
      const { store } = under;
      const lease = await hold(under, "p");
      const secret = blobOf("p", "secret");
      const kept = blobOf("p", "kept");
      const common = blobOf("p", "common");
      good(await append(store, lease, 0, ["1", "2"], { blobs: [secret, kept, common] }));
      good(await store.fork("p", 2, "f"));
      good(await append(store, await hold(under, "x"), 0, ["1"], { blobs: [{ ...common, session: "x" }] }));
      good(await store.erase("f", 1, { blobs: [secret.hash, common.hash, "f".repeat(64)] }));
      assert.equal(await textOfBlob(store, secret.hash), null);
      assert.equal(await textOfBlob(store, kept.hash), "kept");
      assert.equal(await textOfBlob(store, common.hash), "common");
      assert.deepEqual([...good(await store.blobs("p"))], [kept.hash]);
      assert.deepEqual([...good(await store.blobs("f"))], [kept.hash]);
      assert.deepEqual([...good(await store.blobs("x"))], [common.hash]);
    },
  },
  {
    name: "erasing what is not there is refused",
    run: async (under) => {
      await make(under, "s", APPENDS);
      for (const seq of [0, 6, 1.5]) refused(await under.store.erase("s", seq), "invalid_option");
      refused(await under.store.erase("nobody", 1), "session_unknown");
      assert.deepEqual(await dataOf(under.store, "s"), ["1", "2", "3", "4", "5"]);
    },
  },
  {
    name: "what recovery goes by is not erased, here or in a fork, and what was said is",
    run: async (under) => {
      const { store } = under;
      const kept = ["session.created", "model.requested", "tool.started", "process.started", "run.killed"];
      const said = ["input.received", "model.responded", "tool.finished", "x.note"];
      const events = [...kept, ...said].map((type, index) => event(`"${index + 1}"`, type));
      const { token } = await hold(under, "s");
      good(await store.commit({ appends: [{ stream: "s", expectedSeq: 0, token, events }] }));
      good(await store.fork("s", events.length, "f"));
      for (const session of ["s", "f"]) {
        for (const seq of [1, 2, 3, 4, 5]) {
          const { message } = refused(await store.erase(session, seq), "invalid_option");
          assert.match(message, new RegExp(kept[seq - 1] ?? ""));
        }
      }
      for (const seq of [6, 7, 8, 9]) good(await store.erase("f", seq));
      const expected = ['"1"', '"2"', '"3"', '"4"', '"5"', null, null, null, null];
      for (const session of ["s", "f"]) assert.deepEqual(await dataOf(store, session), expected);
      assert.equal(good(await store.verify()).ok, true);
    },
  },
  {
    name: "an append may bring tombstones, whose data is nowhere, and is refused for what is never erased",
    run: async (under) => {
      const { store } = under;
      const { token } = await hold(under, "s");
      const commit = (expectedSeq: number, texts: readonly string[], tombstones: readonly number[], type?: string) =>
        store.commit({
          appends: [{ stream: "s", expectedSeq, token, events: texts.map((text) => event(text, type)), tombstones }],
        });
      good(await commit(0, ["1", "2", "3"], [0, 2]));
      good(await commit(3, ["4"], [0]));
      refused(await commit(4, ["5"], [0], "tool.started"), "invalid_option");
      refused(await commit(4, ["5"], [1]), "invalid_option");
      assert.deepEqual(await dataOf(store, "s"), [null, "2", null, null]);
      const { ok, erased } = good(await store.verify());
      assert.deepEqual({ ok, erased }, { ok: true, erased: 3 });
    },
  },
  {
    name: "an answer of the model is not erased while a call of it is open, here or in a fork, and is once all have ended",
    run: async (under) => {
      const { store } = under;
      const { token } = await hold(under, "s");
      const append = async (expectedSeq: number, ...events: readonly EventToStore[]) =>
        good(await store.commit({ appends: [{ stream: "s", expectedSeq, token, events }] }));
      const call = (type: string) => event(JSON.stringify({ call: "1.0" }), type);
      await append(0, event('"said"', "model.responded"), call("tool.started"), call("process.started"));
      good(await store.fork("s", 3, "f"));
      for (const session of ["s", "f"])
        assert.match(refused(await store.erase(session, 1), "invalid_option").message, /begun/);
      await append(3, call("tool.finished"));
      // In the fork it is still open.
      refused(await store.erase("s", 1), "invalid_option");
      good(await store.remove("f"));
      good(await store.erase("s", 1));
      assert.equal((await dataOf(store, "s"))[0], null);
      await append(4, event('"said"', "model.responded"), event(JSON.stringify({ call: "5.0" }), "tool.started"));
      refused(await store.erase("s", 5), "invalid_option");
      await append(6, event("{}", "run.ended"));
      good(await store.erase("s", 5));
    },
  },
  {
    name: "an erased event's chain differs from one that never held it",
    run: async (under) => {
      const { store } = under;
      await make(under, "a", [["secret"], ["2"]]);
      good(await store.erase("a", 1));
      const lease = await hold(under, "b");
      good(
        await store.commit({
          appends: [{ stream: "b", expectedSeq: 0, token: lease.token, events: [event("secret")] }],
        }),
      );
      assert.notEqual(good(await store.head("a"))?.hash, good(await store.head("b"))?.hash);
    },
  },
];
