import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { unwrap } from "../../core/errors.ts";
import type { Commit, Lease, Owner, Store } from "../../core/session/index.ts";
import { openSqliteStore } from "./index.ts";

const owner: Owner = { host: "h", bootId: "b", pidNamespace: "n", pid: 1, startTime: "1" };

let folder = "";
let stores: Store[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rein-quick-"));
});
afterEach(async () => {
  for (const store of stores) unwrap(await store.close());
  stores = [];
  rmSync(folder, { recursive: true, force: true });
});

async function open(): Promise<Store> {
  const store = unwrap(await openSqliteStore({ path: join(folder, "store.db") }));
  stores.push(store);
  return store;
}

/** One append of a running session: one event with this data behind event `seq`. */
function append({ session, token }: Lease, seq: number, data: string): Commit {
  const events = [{ type: "x.said", version: 1, at: 1_000, data: JSON.stringify(data) }];
  return { tokens: [{ session, token }], appends: [{ stream: session, expectedSeq: seq, token, events }] };
}

async function said(store: Store, session: string): Promise<readonly (string | null)[]> {
  return unwrap(await store.read(session)).map(({ data }) => data);
}

it("appends one after another, and the chain holds", async () => {
  const store = await open();
  const lease = unwrap(await store.acquire("s", owner, 60_000));
  for (let seq = 0; seq < 5; seq += 1) {
    expect(unwrap(await store.commit(append(lease, seq, `event ${seq + 1}`))).seqs).toEqual({ s: seq + 1 });
  }
  expect(await said(store, "s")).toEqual(['"event 1"', '"event 2"', '"event 3"', '"event 4"', '"event 5"']);
  expect(unwrap(await store.verify())).toMatchObject({ ok: true, events: 5 });
});

it("goes on behind what another connection wrote in between", async () => {
  const [mine, other] = [await open(), await open()];
  const lease = unwrap(await mine.acquire("s", owner, 60_000));
  const otherLease = unwrap(await other.acquire("t", owner, 60_000));
  for (let seq = 0; seq < 4; seq += 1) {
    unwrap(await mine.commit(append(lease, seq, `mine ${seq}`)));
    unwrap(await other.commit(append(otherLease, seq, `other ${seq}`)));
  }
  expect(await said(mine, "t")).toEqual(['"other 0"', '"other 1"', '"other 2"', '"other 3"']);
  expect(unwrap(await other.verify())).toMatchObject({ ok: true, events: 8 });
});

it("is refused once another holder has the lease", async () => {
  const [mine, other] = [await open(), await open()];
  const lease = unwrap(await mine.acquire("s", owner, 60_000));
  for (let seq = 0; seq < 3; seq += 1) unwrap(await mine.commit(append(lease, seq, "mine")));
  unwrap(await other.acquire("s", { ...owner, pid: 2 }, 60_000, { steal: true }));
  expect(await mine.commit(append(lease, 3, "too late"))).toMatchObject({ ok: false, error: { code: "lease_lost" } });
  expect(await said(mine, "s")).toEqual(['"mine"', '"mine"', '"mine"']);
});

it("is refused at another place than the end", async () => {
  const store = await open();
  const lease = unwrap(await store.acquire("s", owner, 60_000));
  for (let seq = 0; seq < 3; seq += 1) unwrap(await store.commit(append(lease, seq, "one")));
  for (const seq of [2, 4]) {
    expect(await store.commit(append(lease, seq, "two"))).toMatchObject({ ok: false, error: { code: "conflict" } });
  }
  expect(unwrap(await store.commit(append(lease, 3, "three"))).seqs).toEqual({ s: 4 });
});

it("knows nothing of a session that was removed and made again under the same name", async () => {
  const store = await open();
  const lease = unwrap(await store.acquire("s", owner, 60_000));
  for (let seq = 0; seq < 3; seq += 1) unwrap(await store.commit(append(lease, seq, "old")));
  unwrap(await store.remove("s"));
  expect(await store.commit(append(lease, 3, "old"))).toMatchObject({ ok: false, error: { code: "lease_lost" } });
  const again = unwrap(await store.acquire("s", owner, 60_000));
  for (let seq = 0; seq < 3; seq += 1) unwrap(await store.commit(append(again, seq, "new")));
  expect(await said(store, "s")).toEqual(['"new"', '"new"', '"new"']);
  expect(unwrap(await store.verify())).toMatchObject({ ok: true });
});

it("takes a body of any size", async () => {
  const store = await open();
  const lease = unwrap(await store.acquire("s", owner, 60_000));
  const texts = ["a", "b".repeat(1_400), "c", "d".repeat(20_000), "e"];
  for (const [seq, text] of texts.entries()) unwrap(await store.commit(append(lease, seq, text)));
  expect(await said(store, "s")).toEqual(texts.map((text) => JSON.stringify(text)));
  expect(unwrap(await store.verify())).toMatchObject({ ok: true, events: 5 });
});
