import { existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { unwrap } from "../../core/errors.ts";
import { readHeadNotes, SLOT_BYTES, slotOf } from "./head-notes.ts";
import { isStoreAt } from "./is-store-at.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";
import { appendTexts, errorOf, makeTestFolder, openGood, textsOf } from "./testing.ts";

const folder = makeTestFolder();
afterAll(folder.remove);

/** A store that was closed, with its one head file. */
async function closed(): Promise<{ readonly path: string; readonly head: string }> {
  const path = folder.path();
  const store = await openGood(path);
  await appendTexts(store, "s", ["1", "2"]);
  await store.close();
  const [name = ""] = readdirSync(`${path}-heads`);
  return { path, head: join(`${path}-heads`, name) };
}

describe.each([
  ["deleted", (path: string) => rmSync(path), "is gone"],
  ["cut to nothing", (path: string) => truncateSync(path, 0), "is empty"],
])("a database that was %s", (_, harm, what) => {
  it.each(["this boot", "another boot"])(
    "is damage by head files of %s, for reading and writing, and stays so",
    async (boot) => {
      const { path, head } = await closed();
      if (boot === "another boot") {
        const { greatest } = readHeadNotes(`${path}-heads`);
        if (greatest === null) throw new Error("no head note");
        const slot = Buffer.alloc(SLOT_BYTES);
        slotOf({ ...greatest, bootId: "00000000-0000-0000-0000-000000000000" }, slot);
        writeFileSync(head, Buffer.concat([slot, slot]));
      }
      harm(path);
      const before = readdirSync(dirname(path));
      for (const options of [{}, { readOnly: true }, { readOnly: true, acceptDamage: true }]) {
        const opened = await openSqliteStore({ path, ...options });
        expect(opened).toMatchObject({
          ok: false,
          error: {
            code: "store_damaged",
            message: `${path} ${what}, but the head files in ${path}-heads tell of 2 changes: every session it held is lost, and their names with it.`,
            place: { file: path, fromRow: 1, toRow: 2 },
          },
        });
      }
      expect(errorOf(isStoreAt(path)).code).toBe("store_damaged");
      expect(readdirSync(dirname(path))).toEqual(before);
      expect(statSync(path, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
    },
  );

  it("is damage by a head file that cannot be read any more", async () => {
    const { path, head } = await closed();
    harm(path);
    writeFileSync(head, Buffer.alloc(2 * SLOT_BYTES, "x"));
    expect(errorOf(await openSqliteStore({ path })).code).toBe("store_damaged");
  });

  it("is damage by a WAL that holds something, which stays", async () => {
    const path = folder.path();
    const store = await openGood(path);
    await appendTexts(store, "s", ["1"]);
    const wal = readFileSync(`${path}-wal`);
    await store.close();
    rmSync(`${path}-heads`, { recursive: true });
    harm(path);
    writeFileSync(`${path}-wal`, wal);
    const { code, place } = errorOf(await openSqliteStore({ path }));
    expect({ code, place }).toEqual({ code: "store_damaged", place: { file: path, wal: `${path}-wal` } });
    expect(readFileSync(`${path}-wal`).equals(wal)).toBe(true);
  });

  it("is begun anew by who accepts the damage, which is told until it is acknowledged", async () => {
    const { path } = await closed();
    harm(path);
    const store = await openGood(path, { acceptDamage: true });
    expect(unwrap(await store.sessions())).toEqual([]);
    expect(unwrap(await store.losses())).toMatchObject([{ kind: "damage", place: { fromRow: 1, toRow: 2 } }]);
    await appendTexts(store, "s", ["new"]);
    expect(await textsOf(store, "s")).toEqual(["new"]);
    await store.close();
  });

  it("together with its head files is a new one", async () => {
    const { path } = await closed();
    harm(path);
    rmSync(`${path}-heads`, { recursive: true });
    expect(isStoreAt(path)).toEqual({ ok: true, value: false });
    const store = await openGood(path);
    expect(unwrap(await store.sessions())).toEqual([]);
    expect(unwrap(await store.verify())).toMatchObject({ ok: true, findings: [] });
    await store.close();
    expect(isStoreAt(path)).toEqual({ ok: true, value: true });
  });
});

describe("head files that are gone", () => {
  const missing = {
    kind: "notice",
    message: expect.stringContaining("The head files of the store were missing when it was at change 2:"),
  };

  it.each([
    ["deleted", (head: string) => rmSync(head)],
    ["deleted with their folder", (head: string) => rmSync(dirname(head), { recursive: true })],
    ["cut to nothing", (head: string) => truncateSync(head, 0)],
  ])(
    "as they were %s are told when the store is opened or verified, and until that is acknowledged",
    async (_, harm) => {
      const { path, head } = await closed();
      harm(head);
      const reader = await openGood(path, { readOnly: true });
      expect(unwrap(await reader.losses())).toMatchObject([missing]);
      expect(unwrap(await reader.verify())).toMatchObject({ ok: true, findings: [missing] });
      await reader.close();
      const writer = await openGood(path);
      expect(unwrap(await writer.losses())).toMatchObject([missing]);
      await appendTexts(writer, "t", ["3"]);
      await writer.close();
      const later = await openGood(path);
      expect(unwrap(await later.verify())).toMatchObject({ ok: true, findings: [missing] });
      unwrap(await later.acknowledgeLoss());
      expect(unwrap(await later.verify()).findings).toEqual([]);
      await later.close();
    },
  );

  it("though it never had any changes are nothing, nor are those of a store that does not tell of any", async () => {
    const fresh = folder.path();
    await (await openGood(fresh)).close();
    const store = await openGood(fresh);
    expect(unwrap(await store.verify()).findings).toEqual([]);
    await store.close();

    const { path } = await closed();
    rmSync(`${path}-heads`, { recursive: true });
    const { DatabaseSync } = await import("node:sqlite");
    const db = new DatabaseSync(path);
    db.exec("DELETE FROM meta WHERE key = 'head_files'");
    db.close();
    const old = await openGood(path);
    expect(unwrap(await old.losses())).toEqual([]);
    expect(unwrap(await old.verify()).findings).toEqual([]);
    await appendTexts(old, "t", ["3"]);
    await old.close();
    // From then on it tells of them.
    await (await openGood(path)).close();
    rmSync(`${path}-heads`, { recursive: true });
    const later = await openGood(path, { readOnly: true });
    expect(unwrap(await later.verify()).findings).toMatchObject([{ kind: "notice" }]);
    await later.close();
  });

  it("in half is damage with its place", async () => {
    const { path, head } = await closed();
    truncateSync(head, SLOT_BYTES);
    const store = await openGood(path, { readOnly: true });
    expect(unwrap(await store.verify())).toMatchObject({
      ok: false,
      findings: [{ kind: "damage", place: { file: head } }],
    });
    await store.close();
  });
});

describe("a database that was cut", () => {
  async function cut(pages: number): Promise<{ readonly path: string; readonly size: number }> {
    const path = folder.path();
    const store = await openGood(path);
    for (let n = 0; n < 60; n += 1) {
      const session = n % 2 === 0 ? "even" : "odd";
      const lease = unwrap(
        await store.acquire(session, (await import("./owner.ts")).currentOwner(), 60_000, { steal: true }),
      );
      await appendTexts(store, session, ["x".repeat(2_000)], { lease });
    }
    await store.close();
    const { size } = statSync(path);
    truncateSync(path, pages * 4_096 + 100);
    return { path, size };
  }

  it.each([
    ["behind the streams", 6],
    ["in the middle of the events", 40],
  ])(
    "%s is refused with what is missing, and verified with that and each session that cannot be read",
    async (_, pages) => {
      const { path, size } = await cut(pages);
      const missing = { file: path, bytes: pages * 4_096 + 100, expected: size, page: pages + 1, toPage: size / 4_096 };
      for (const readOnly of [false, true]) {
        const { code, place } = errorOf(await openSqliteStore({ path, readOnly }));
        expect({ code, place }).toEqual({ code: "store_damaged", place: missing });
      }
      const store = await openGood(path, { readOnly: true, acceptDamage: true });
      expect(unwrap(await store.losses())).toMatchObject([{ kind: "damage", place: missing }]);
      const { ok, findings } = unwrap(await store.verify());
      expect(ok).toBe(false);
      expect(findings[0]).toMatchObject({ kind: "damage", place: missing });
      expect(new Set(findings.flatMap(({ stream }) => stream ?? []))).toEqual(new Set(["even", "odd"]));
      await store.close();
      expect(statSync(path).size).toBe(pages * 4_096 + 100);
      expect(existsSync(`${path}-wal-damaged-1`)).toBe(false);
    },
  );
});
