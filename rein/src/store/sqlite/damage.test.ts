import {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { unwrap } from "../../core/errors.ts";
import { filledCopy } from "./filled-copy.ts";
import { readHeadNotes, SLOT_BYTES, slotOf } from "./head-notes.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";
import { currentOwner } from "./owner.ts";
import { appendTexts, errorOf, makeTestFolder, openGood, textsOf } from "./testing.ts";

const folder = makeTestFolder();
afterAll(folder.remove);

/** The files of a store as they are while it is open: what a kill would leave. */
async function leftOpen(texts: readonly string[]): Promise<string> {
  const path = folder.path();
  const store = await openGood(path);
  let lease: Awaited<ReturnType<typeof appendTexts>> | undefined;
  for (const text of texts) lease = await appendTexts(store, "s", [text], lease === undefined ? {} : { lease });
  const copy = folder.path();
  cpSync(dirname(path), dirname(copy), { recursive: true });
  await store.close();
  return copy;
}

/** Makes the head files tell that they were written before the machine last came up. */
function rebooted(path: string): void {
  const heads = `${path}-heads`;
  for (const name of readdirSync(heads)) {
    const { greatest } = readHeadNotes(heads);
    if (greatest === null) throw new Error("no head note");
    const slot = Buffer.alloc(SLOT_BYTES);
    slotOf({ ...greatest, bootId: "00000000-0000-0000-0000-000000000000" }, slot);
    writeFileSync(join(heads, name), Buffer.concat([slot, slot]));
  }
}

describe("a WAL that was cut or deleted", () => {
  it("left whole, gives every event back", async () => {
    const path = await leftOpen(["1", "2", "3"]);
    const store = await openGood(path);
    expect(await textsOf(store, "s")).toEqual(["1", "2", "3"]);
    await store.close();
  });

  it("in the same boot is damage: the store is refused with the place, and its files stay as they are", async () => {
    const path = await leftOpen(["1", "2", "3"]);
    const wal = readFileSync(`${path}-wal`);
    truncateSync(`${path}-wal`, wal.length - 17);
    const { code, place } = errorOf(await openSqliteStore({ path }));
    expect(code).toBe("store_damaged");
    expect(place).toEqual({ file: path, fromRow: 4, toRow: 4 });
    expect(readFileSync(`${path}-wal`).equals(wal.subarray(0, -17))).toBe(true);
    // Whoever puts the bytes back loses nothing.
    writeFileSync(`${path}-wal`, wal);
    const store = await openGood(path);
    expect(await textsOf(store, "s")).toEqual(["1", "2", "3"]);
    await store.close();
  });

  it("whose damage was accepted leaves all that is whole, says what is missing until told, and is set aside (C-011)", async () => {
    const path = await leftOpen(["1", "2", "3"]);
    truncateSync(`${path}-wal`, readFileSync(`${path}-wal`).length - 17);
    const cut = readFileSync(`${path}-wal`);
    const store = await openGood(path, { acceptDamage: true });
    expect(await textsOf(store, "s")).toEqual(["1", "2"]);
    const losses = unwrap(await store.losses());
    expect(losses).toMatchObject([{ kind: "damage", place: { file: path, fromRow: 4, toRow: 4 } }]);
    expect(unwrap(await store.verify())).toMatchObject({ ok: false, findings: losses });
    expect(readFileSync(`${path}-wal-damaged-4`).equals(cut)).toBe(true);
    const lease = unwrap(await store.acquire("s", currentOwner(), 60_000, { steal: true }));
    await appendTexts(store, "s", ["again 3"], { lease });
    unwrap(await store.acknowledgeLoss());
    expect(unwrap(await store.losses())).toEqual([]);
    expect(unwrap(await store.verify()).ok).toBe(true);
    await store.close();
    const later = await openGood(path);
    expect(await textsOf(later, "s")).toEqual(["1", "2", "again 3"]);
    expect(unwrap(await later.losses())).toEqual([]);
    await later.close();
  });

  it("after another boot is a loss, told once with its range", async () => {
    const path = await leftOpen(["1", "2", "3"]);
    rebooted(path);
    truncateSync(`${path}-wal`, readFileSync(`${path}-wal`).length - 17);
    const reader = await openGood(path, { readOnly: true });
    expect(unwrap(await reader.losses())).toMatchObject([{ kind: "loss", place: { fromRow: 4, toRow: 4 } }]);
    await reader.close();
    const store = await openGood(path);
    expect(await textsOf(store, "s")).toEqual(["1", "2"]);
    expect(unwrap(await store.losses())).toMatchObject([{ kind: "loss", place: { fromRow: 4, toRow: 4 } }]);
    await store.close();
    const second = await openGood(path);
    expect(unwrap(await second.losses())).toMatchObject([{ kind: "loss", place: { fromRow: 4, toRow: 4 } }]);
    unwrap(await second.acknowledgeLoss());
    await second.close();
    const third = await openGood(path);
    expect(unwrap(await third.losses())).toEqual([]);
    expect(unwrap(await third.verify()).ok).toBe(true);
    await third.close();
  });

  it("deleted with all that was ever written is never taken for a new store (C-020)", async () => {
    const path = await leftOpen(["1", "2", "3"]);
    for (const gone of [`${path}-wal`, path]) {
      rmSync(gone);
      expect(errorOf(await openSqliteStore({ path }))).toMatchObject({ code: "store_damaged", place: { toRow: 4 } });
    }
    writeFileSync(path, "");
    expect(errorOf(await openSqliteStore({ path }))).toMatchObject({
      code: "store_damaged",
      place: { fromRow: 1, toRow: 4 },
    });
  });
});

describe("a database that was replaced", () => {
  it("by an older copy of itself is damage", async () => {
    const path = folder.path();
    const store = await openGood(path);
    const lease = await appendTexts(store, "s", ["1"]);
    await store.close();
    copyFileSync(path, `${path}.backup`);
    const later = await openGood(path);
    await appendTexts(later, "s", ["2"], { lease });
    await later.close();
    copyFileSync(`${path}.backup`, path);
    expect(errorOf(await openSqliteStore({ path }))).toMatchObject({
      code: "store_damaged",
      place: { fromRow: 3, toRow: 3 },
    });
  });

  it("by another that is as long is damage", async () => {
    const paths = [folder.path(), folder.path()] as const;
    for (const path of paths) {
      const store = await openGood(path);
      await appendTexts(store, "s", ["1", path]);
      await store.close();
    }
    copyFileSync(paths[0], paths[1]);
    const { code, place } = errorOf(await openSqliteStore({ path: paths[1] }));
    expect(code).toBe("store_damaged");
    expect(place).toMatchObject({ fromRow: 2 });
    const store = await openGood(paths[1], { acceptDamage: true });
    expect(await textsOf(store, "s")).toEqual(["1", paths[0]]);
    await store.close();
    const again = await openGood(paths[1]);
    expect(unwrap(await again.losses()).map(({ kind }) => kind)).toEqual(["damage"]);
    await again.close();
  });
});

describe("verify", () => {
  it("finds a head file that cannot be read", async () => {
    const path = folder.path();
    const store = await openGood(path);
    await appendTexts(store, "s", ["1"]);
    const [name = ""] = readdirSync(`${path}-heads`);
    const file = join(`${path}-heads`, name);
    const bytes = readFileSync(file);
    bytes[60] = (bytes[60] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    expect(unwrap(await store.verify()).findings).toMatchObject([{ kind: "damage", place: { file } }]);
    await store.close();
  });

  it.each([
    ["tip", "UPDATE tip SET row = row + 9", { table: "tip", row: 1 }],
    ["lease", "UPDATE lease SET expires_at = expires_at + 1", { table: "lease", row: 1 }],
    ["command", "UPDATE command SET payload = x'7b7d'", { table: "command", row: 1 }],
    ["command", "UPDATE command SET payload = NULL", { table: "command", row: 1 }],
    ["scratch", "UPDATE scratch SET value = x'00'", { table: "scratch", row: 1 }],
    ["wake", "UPDATE wake SET at = at + 1", { table: "wake", row: 1 }],
    ["spending", "UPDATE spending SET spent = 0", { table: "spending" }],
    ["reservation", "UPDATE reservation SET amount = 0", { table: "reservation" }],
    ["job", "UPDATE job SET payload = x'00'", { table: "job", row: 1 }],
    ["cursor", "UPDATE cursor SET seq = 2", { table: "cursor" }],
    ["snapshot", "UPDATE snapshot SET body = x'00'", { table: "snapshot", row: 1 }],
    ["blob", "UPDATE blob SET bytes = x'00'", { table: "blob", id: 1 }],
    ["blob reference", "DELETE FROM blob_ref", { table: "blob_ref", blob: 1 }],
    ["stream's name", "UPDATE stream SET name = 't'", { table: "stream", id: 1 }],
    ["stream's token", "UPDATE stream SET token = 0", { table: "stream", id: 1 }],
    ["stream's removal", "UPDATE stream SET removed = 1", { table: "stream", id: 1 }],
    ["stream's end", "DELETE FROM envelope WHERE first = 9007199254740991", { table: "envelope", id: 1 }],
    ["payload without an append", "INSERT INTO payload VALUES (99, 1, 99, x'00')", { table: "payload", row: 99 }],
    ["appends without a stream", "DELETE FROM stream", { table: "envelope", stream: 1 }],
    ["table's definition", "CREATE TABLE mine (x)", { table: "sqlite_schema" }],
  ])("finds a changed %s", async (_, sql, place) => {
    const path = folder.path();
    const store = await openGood(path);
    const bytes = Buffer.from("blob");
    const hash = "fa2c8cc4f28176bbeed4b736df569a34c79cd3723e9ec42f9674b4d46ac6b8b8";
    const lease = await appendTexts(store, "s", ["1", "2"], { blobs: [{ session: "s", hash, bytes }] });
    unwrap(
      await store.commit({
        tokens: [{ session: "s", token: lease.token }],
        inbox: { put: [{ commandId: "c", session: "s", payload: "[1]" }] },
        scratch: [{ session: "s", key: "k", value: "v" }],
        wake: [{ session: "s", name: "w", at: 5 }],
        reserve: [
          { scope: "d", key: "a", amount: 3, limit: 9 },
          { scope: "d", key: "b", amount: 3, limit: 9 },
        ],
        enqueue: [{ queue: "q", key: "k", payload: "{}" }],
      }),
    );
    unwrap(await store.commit({ settle: [{ scope: "d", key: "a", actual: 2 }] }));
    unwrap(await store.setCursor("viewer", "s", 1));
    unwrap(await store.saveSnapshot("s", { seq: 2, hash, version: "1", body: "{}" }));
    expect(unwrap(await store.verify())).toMatchObject({ ok: true, findings: [] });
    await store.close();
    const db = new DatabaseSync(path);
    db.exec(sql);
    db.close();
    const harmed = await openGood(path);
    const { ok, findings } = unwrap(await harmed.verify());
    expect(ok).toBe(false);
    expect(findings).toContainEqual(expect.objectContaining({ kind: "damage", place: expect.objectContaining(place) }));
    await harmed.close();
  });

  it("says nothing of a store that others write to at the same time", async () => {
    const path = folder.path();
    const store = await openGood(path);
    const other = await openGood(path);
    let lease = await appendTexts(store, "s", ["0"]);
    await appendTexts(other, "gone", ["1", "2"]);
    for (let n = 1; n <= 600; n += 1) lease = await appendTexts(store, "s", [String(n)], { lease });
    const verifying = other.verify();
    for (let n = 601; n <= 700; n += 1) {
      await appendTexts(store, "s", [String(n)], { lease });
      if (n === 620) unwrap(await store.remove("gone"));
      if (n % 20 === 0) unwrap(await store.erase("s", n - 590));
      await new Promise(setImmediate);
    }
    expect(unwrap(await verifying)).toMatchObject({ ok: true, findings: [] });
    await store.close();
    await other.close();
  });
});

describe("what was erased", () => {
  // Long and short, alone and with others in one append: each lies differently in the pages.
  const secrets = [40, 700, 1_500, 4_500, 20_000].map((size, index) => `secret-${index}-`.repeat(Math.ceil(size / 9)));

  it("is in no file any more, neither while the store is open nor after", async () => {
    const path = folder.path();
    const store = await openGood(path);
    const filler = Array.from({ length: 60 }, (_, index) => `filler ${index} `.repeat(30));
    const lease = await appendTexts(store, "s", filler.slice(0, 30));
    for (const secret of secrets) await appendTexts(store, "s", [secret, "kept", secret], { lease });
    for (const text of filler) await appendTexts(store, "s", [text], { lease });
    unwrap(await store.saveSnapshot("s", { seq: 100, hash: "00", version: "1", body: secrets.join() }));
    await appendTexts(store, "other", ["secret-x-".repeat(300)]);
    const before = filesBeside(path).some((bytes) => bytes.includes("secret-"));
    expect(before).toBe(true);
    for (let seq = 31; seq < 31 + 3 * secrets.length; seq += 3) {
      unwrap(await store.erase("s", seq));
      unwrap(await store.erase("s", seq + 2));
    }
    unwrap(await store.remove("other"));
    expect(filesBeside(path).map((bytes) => bytes.includes("secret-"))).toEqual([false, false, false, false]);
    expect(unwrap(await store.verify())).toMatchObject({ ok: true, erased: 10 });
    await store.close();
    expect(filesBeside(path).map((bytes) => bytes.includes("secret-"))).toEqual([false, false]);
  });

  function filesBeside(path: string): readonly Buffer[] {
    const heads = readdirSync(`${path}-heads`).map((name) => join(`${path}-heads`, name));
    return [path, `${path}-wal`, `${path}-shm`, ...heads]
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file));
  }
});

it("a process whose newest commits go away under its hands commits nothing more", async () => {
  const path = folder.path();
  const store = await openGood(path);
  const lease = await appendTexts(store, "s", ["1"]);
  await appendTexts(store, "s", ["2"], { lease });
  const db = new DatabaseSync(path);
  db.exec("DELETE FROM payload WHERE row = (SELECT max(row) FROM payload)");
  db.close();
  const append = {
    stream: "s",
    expectedSeq: 2,
    token: lease.token,
    events: [{ type: "x", version: 1, at: 1, data: "3" }],
  };
  expect(errorOf(await store.commit({ appends: [append] }))).toMatchObject({
    code: "store_damaged",
    place: { from: 3, to: 3 },
  });
  expect(errorOf(await store.commit({}))).toMatchObject({ code: "store_damaged" });
  expect(errorOf(await store.read("s"))).toMatchObject({
    code: "store_damaged",
    place: { stream: "s", from: 2, to: 2 },
  });
  expect(await store.read("s", { to: 1 })).toMatchObject({ ok: true });
  await store.close();
});

it("a database file whose first bytes are damaged is a damaged store, not a stranger's file", async () => {
  const path = folder.path();
  const store = await openGood(path);
  await appendTexts(store, "s", ["1"]);
  await store.close();
  const bytes = readFileSync(path);
  bytes[3] = (bytes[3] ?? 0) ^ 4;
  writeFileSync(path, bytes);
  expect(errorOf(await openSqliteStore({ path }))).toMatchObject({ code: "store_damaged", place: { file: path } });
});

it("what follows on an append whose envelope cannot be read is read from where it begins", async () => {
  const path = folder.path();
  const store = await openGood(path);
  const lease = await appendTexts(store, "s", ["1", "2"]);
  for (const texts of [["3", "4"], ["5", "6"], ["7"]]) await appendTexts(store, "s", texts, { lease });
  await store.close();
  const db = new DatabaseSync(path);
  db.exec("UPDATE envelope SET heads = x'ff' WHERE first = 3");
  db.close();
  const left = await openGood(path, { readOnly: true, acceptDamage: true });
  const damaged = { code: "store_damaged", place: { from: 3, to: 4 } };
  for (const from of [1, 3, 4]) expect(errorOf(await left.read("s", { from }))).toMatchObject(damaged);
  for (const [from, seqs] of [
    [5, [5, 6, 7]],
    [6, [6, 7]],
    [7, [7]],
  ] as const)
    expect(unwrap(await left.read("s", { from })).map(({ seq }) => seq)).toEqual(seqs);
  expect(unwrap(await left.verify()).ok).toBe(false);
  await left.close();
});

it("a copy of a cut file takes no room for the pages that only its header tells of", async () => {
  const path = folder.path();
  const store = await openGood(path);
  await appendTexts(store, "s", ["1"]);
  await store.close();
  const fresh = readFileSync(path);
  truncateSync(path, 4_096);
  const missing = { bytes: 4_096, expected: 700_000 * 4_096, pageBytes: 4_096, from: 2, to: 700_000 };
  const copy = filledCopy(path, missing, fresh, dirname(path)) ?? "";
  const { size, blocks } = statSync(copy);
  expect(size).toBe(missing.expected);
  expect(blocks * 512).toBeLessThan(1_000_000);
  rmSync(copy);
  const endless = { ...missing, expected: 2 ** 32 * 4_096, to: 2 ** 32 };
  expect(filledCopy(path, endless, fresh, dirname(path))).toBe(null);
});
