import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { openSqliteStore } from "./open-sqlite-store.ts";
import { errorOf, makeTestFolder, openGood } from "./testing.ts";

const folder = makeTestFolder();
afterAll(folder.remove);

/** Everything about the files of a folder that opening could change. */
function seen(path: string): readonly unknown[] {
  return readdirSync(path)
    .sort()
    .map((name) => {
      const { mode, mtimeMs } = statSync(join(path, name));
      return [name, mode, mtimeMs, readFileSync(join(path, name), "base64")];
    });
}

/** A file that another program has made: old, and open to others. */
function foreign(make: (path: string) => void): string {
  const path = folder.path();
  mkdirSync(dirname(path), { recursive: true });
  make(path);
  chmodSync(path, 0o644);
  utimesSync(path, 1_500_000_000, 1_500_000_000);
  return path;
}

const sql = (text: string) => (path: string) => {
  const db = new DatabaseSync(path);
  db.exec(text);
  db.close();
};

describe.each([
  ["a text", (path: string) => writeFileSync(path, "Dear diary.\n".repeat(200)), "is not a database"],
  ["a text of a few bytes", (path: string) => writeFileSync(path, "x"), "is not a database"],
  ["zeros", (path: string) => writeFileSync(path, Buffer.alloc(8_192)), "is not a database"],
  ["a database", sql("CREATE TABLE cookies (name TEXT)"), "is a database, but not a store of Rein"],
  [
    "one with a WAL",
    sql("PRAGMA journal_mode = WAL; CREATE TABLE cookies (name TEXT)"),
    "is a database, but not a store of Rein",
  ],
  [
    "one with a table that we have too",
    sql("CREATE TABLE meta (key, value, seal)"),
    "is a database, but not a store of Rein",
  ],
])("%s of another program", (_, make, what) => {
  it.each([{}, { readOnly: true }, { readOnly: true, acceptDamage: true }, { acceptDamage: true }])(
    "is refused and left as it was, opened with %j",
    async (options) => {
      const path = foreign(make);
      const before = seen(dirname(path));
      expect(await openSqliteStore({ path, ...options })).toMatchObject({
        ok: false,
        error: { code: "store_unsupported", message: `${path} ${what}.`, place: { file: path } },
      });
      expect(seen(dirname(path))).toEqual(before);
    },
  );
});

it("another program's database whose newest changes are in its WAL is left as it was", async () => {
  const path = folder.path();
  mkdirSync(dirname(path), { recursive: true });
  const db = new DatabaseSync(path);
  db.exec(
    "PRAGMA journal_mode = WAL; CREATE TABLE cookies (name TEXT); PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO cookies VALUES ('a')",
  );
  const copy = dirname(folder.path());
  cpSync(dirname(path), copy, { recursive: true });
  db.close();
  rmSync(join(copy, "store.db-shm"));
  const before = seen(copy);
  for (const readOnly of [false, true])
    expect(errorOf(await openSqliteStore({ path: join(copy, "store.db"), readOnly })).code).toBe("store_unsupported");
  expect(seen(copy)).toEqual(before);
});

describe("what is refused makes nothing", () => {
  it("for a path that cannot be, no folder", async () => {
    const path = folder.path();
    mkdirSync(dirname(dirname(path)), { recursive: true });
    writeFileSync(dirname(path), "a file where a folder should be");
    expect(errorOf(await openSqliteStore({ path: join(path, "deep/store.db") })).code).toBe("path_unusable");
    expect(readFileSync(dirname(path), "utf8")).toBe("a file where a folder should be");
  });

  it("for a store that several make at once, but one", async () => {
    const path = folder.path();
    const stores = await Promise.all([1, 2, 3, 4].map(() => openGood(path)));
    for (const store of stores) await store.close();
    expect(readdirSync(dirname(path))).toEqual(["store.db"]);
    expect(existsSync(`${path}-heads`)).toBe(false);
  });
});
