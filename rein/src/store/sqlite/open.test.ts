import { spawnSync } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { unwrap } from "../../core/errors.ts";
import { openStore } from "./open.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";
import { MIGRATIONS, type Migration } from "./schema.ts";
import { appendTexts, errorOf, makeTestFolder, openGood, textsOf } from "./testing.ts";

const folder = makeTestFolder();
afterAll(folder.remove);

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe("what is made", () => {
  it("belongs to its owner alone: folder 0700, every file 0600", async () => {
    const path = folder.path();
    const before = process.umask(0);
    const store = await openGood(path);
    await appendTexts(store, "s", ["1"]);
    expect(modeOf(dirname(path))).toBe("700");
    expect(modeOf(`${path}-heads`)).toBe("700");
    const files = [
      path,
      `${path}-wal`,
      `${path}-shm`,
      ...readdirSync(`${path}-heads`).map((name) => join(`${path}-heads`, name)),
    ];
    expect(files.map(modeOf)).toEqual(["600", "600", "600", "600"]);
    await store.close();
    process.umask(before);
    expect(readdirSync(dirname(path)).sort()).toEqual(["store.db", "store.db-heads"]);
  });

  it("is made private again when others were let in", async () => {
    const path = folder.path();
    await (await openGood(path)).close();
    chmodSync(path, 0o644);
    const store = await openGood(path);
    expect(modeOf(path)).toBe("600");
    await store.close();
  });

  it("is told on the channels when it opens and closes", async () => {
    const seen: unknown[] = [];
    const note = (message: unknown, name: string | symbol): void => {
      seen.push([String(name), message]);
    };
    subscribe("rein:store:open", note);
    subscribe("rein:store:close", note);
    const store = await openGood(folder.path());
    await store.close();
    await store.close();
    unsubscribe("rein:store:open", note);
    unsubscribe("rein:store:close", note);
    expect(seen).toEqual([
      ["rein:store:open", { store }],
      ["rein:store:close", { store }],
    ]);
  });

  it("is one store by whatever name it is opened", async () => {
    const path = folder.path();
    const store = await openGood(path);
    const link = folder.path("link.db");
    mkdirSync(dirname(link));
    symlinkSync(path, link);
    const other = await openGood(link);
    await appendTexts(other, "s", ["1"]);
    expect(other.name).toBe(store.name);
    expect(await textsOf(store, "s")).toEqual(["1"]);
    expect(existsSync(`${link}-heads`)).toBe(false);
    await store.close();
    await other.close();
  });
});

describe("what is refused, and how", () => {
  it.each([":memory:", "", "file:store.db"])("%j, which is no path", async (path) => {
    expect(errorOf(await openSqliteStore({ path })).code).toBe("invalid_option");
  });

  it("a path with a NUL, a folder, a path through a file, a missing file to be read", async () => {
    const path = folder.path();
    await (await openGood(path)).close();
    for (const bad of [`${path}\0x`, dirname(path), join(path, "below.db")]) {
      expect(errorOf(await openSqliteStore({ path: bad })).code, bad).toBe("path_unusable");
    }
    const missing = folder.path();
    expect(errorOf(await openSqliteStore({ path: missing, readOnly: true })).code).toBe("path_unusable");
    expect(existsSync(dirname(missing))).toBe(false);
  });

  it("a file that is no database, and one of another program, which stays as it was", async () => {
    const text = folder.path();
    mkdirSync(dirname(text));
    writeFileSync(text, "Dear diary, today I learnt that not every file is a database.\n".repeat(40));
    const before = readFileSync(text);
    expect(errorOf(await openSqliteStore({ path: text }))).toMatchObject({
      code: "store_unsupported",
      place: { file: text },
    });
    expect(readFileSync(text).equals(before)).toBe(true);

    const other = folder.path();
    mkdirSync(dirname(other));
    const db = new DatabaseSync(other);
    db.exec("CREATE TABLE cookies (name TEXT)");
    db.close();
    const bytes = readFileSync(other);
    expect(errorOf(await openSqliteStore({ path: other })).code).toBe("store_unsupported");
    expect(readFileSync(other).equals(bytes)).toBe(true);
  });
});

describe("a store opened for reading", () => {
  it("reads everything and writes nothing", async () => {
    const path = folder.path();
    const store = await openGood(path);
    const lease = await appendTexts(store, "s", ["1", "2"]);
    await store.close();
    const bytes = readFileSync(path);
    const reader = await openGood(path, { readOnly: true });
    expect(await textsOf(reader, "s")).toEqual(["1", "2"]);
    expect(unwrap(await reader.verify()).ok).toBe(true);
    expect(unwrap(await reader.losses())).toEqual([]);
    expect(errorOf(await reader.commit({})).code).toBe("store_readonly");
    expect(errorOf(await reader.renew(lease, 1_000)).code).toBe("store_readonly");
    expect(errorOf(await reader.erase("s", 1)).code).toBe("store_readonly");
    await reader.close();
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  it("sees what a process that has it open commits", async () => {
    const path = folder.path();
    const store = await openGood(path);
    const lease = await appendTexts(store, "s", ["1"]);
    const reader = await openGood(path, { readOnly: true });
    await appendTexts(store, "s", ["2"], { lease });
    expect(await textsOf(reader, "s")).toEqual(["1", "2"]);
    await reader.close();
    await store.close();
  });
});

describe("a file of another version", () => {
  const newer = (minReader: number): readonly Migration[] => [
    ...MIGRATIONS,
    {
      version: 7,
      minReader,
      statements: [
        "ALTER TABLE stream ADD COLUMN title TEXT",
        "ALTER TABLE envelope ADD COLUMN trace INTEGER NOT NULL DEFAULT 5",
        "ALTER TABLE payload ADD COLUMN note BLOB",
        "ALTER TABLE command ADD COLUMN source TEXT NOT NULL DEFAULT 'person'",
        "CREATE TABLE search (stream INTEGER PRIMARY KEY, words TEXT) STRICT",
        "CREATE INDEX stream_title ON stream (title)",
      ],
    },
  ];

  it("is refused with its mode as it was", async () => {
    const path = folder.path();
    await unwrap(await openStore({ path }, newer(7))).close();
    chmodSync(path, 0o644);
    expect(errorOf(await openSqliteStore({ path })).code).toBe("version_unknown");
    expect(modeOf(path)).toBe("644");
  });

  it("with more tables and columns is used by this program as any other", async () => {
    const path = folder.path();
    const future = unwrap(await openStore({ path }, newer(1)));
    const lease = await appendTexts(future, "s", ["1"]);
    await future.close();

    const store = await openGood(path);
    await appendTexts(store, "s", ["2", "3"], { lease });
    unwrap(await store.commit({ inbox: { put: [{ commandId: "c", session: "s", payload: "{}" }] } }));
    unwrap(await store.fork("s", 2, "f"));
    unwrap(await store.erase("s", 1));
    expect(unwrap(await store.verify())).toMatchObject({ ok: true, findings: [] });
    await store.close();

    const again = unwrap(await openStore({ path }, newer(1)));
    expect(await textsOf(again, "s")).toEqual([null, "2", "3"]);
    expect(await textsOf(again, "f")).toEqual([null, "2"]);
    expect(unwrap(await again.verify())).toMatchObject({ ok: true, findings: [] });
    await again.close();
    const db = new DatabaseSync(path);
    expect(db.prepare("SELECT count(*) AS n FROM envelope WHERE trace = 5").get()?.n).toBe(4);
    db.close();
  });

  it("that this program made is brought up to date by a newer one", async () => {
    const path = folder.path();
    const store = await openGood(path);
    await appendTexts(store, "s", ["1"]);
    await store.close();
    const future = unwrap(await openStore({ path }, newer(1)));
    expect(await textsOf(future, "s")).toEqual(["1"]);
    expect(unwrap(await future.verify()).ok).toBe(true);
    await future.close();
    const db = new DatabaseSync(path);
    expect(db.prepare("SELECT value FROM meta WHERE key = 'schema_version'").get()?.value).toBe("7");
    db.close();
  });

  it("that only a newer program can read is refused with its number, for reading too", async () => {
    const path = folder.path();
    await unwrap(await openStore({ path }, newer(6))).close();
    for (const readOnly of [false, true]) {
      const { code, place, hint } = errorOf(await openSqliteStore({ path, readOnly }));
      expect(code).toBe("version_unknown");
      expect(place).toEqual({ file: path, schema: 7, minReader: 6 });
      expect(hint).toContain("Update Rein");
    }
  });
});

describe("in a process of its own", () => {
  const run = (code: string) => {
    const { status, stderr, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
      encoding: "utf8",
    });
    return { status, stderr, stdout };
  };

  it("the notice that node:sqlite is experimental is kept back, and other warnings are not", () => {
    const index = JSON.stringify(new URL("./index.ts", import.meta.url).href);
    const path = JSON.stringify(folder.path());
    const opened = run(
      `const { openSqliteStore } = await import(${index});
       const store = await openSqliteStore({ path: ${path} });
       await store.value.close();
       process.emitWarning("mine", "ExperimentalWarning");
       console.log(store.ok);`,
    );
    expect(opened.status).toBe(0);
    expect(opened.stdout).toBe("true\n");
    expect(opened.stderr).toContain("mine");
    expect(opened.stderr).not.toContain("SQLite");
  });

  it("a store that is left open and watched does not keep the process alive", () => {
    const index = JSON.stringify(new URL("./index.ts", import.meta.url).href);
    const path = JSON.stringify(folder.path());
    const left = run(
      `const { openSqliteStore } = await import(${index});
       const store = await openSqliteStore({ path: ${path} });
       store.value.watch(() => {});
       console.log(store.ok);`,
    );
    expect(left).toEqual({ status: 0, stdout: "true\n", stderr: "" });
  });

  it("node:sqlite is not loaded before a store is opened", () => {
    const index = JSON.stringify(new URL("./index.ts", import.meta.url).href);
    const listed = run(
      `await import(${index}); console.log(process.moduleLoadList.filter((name) => name.includes("sqlite")).join());`,
    );
    expect(listed.stdout).toBe("\n");
  });
});

it("leaves the mode and the bytes of a file that is no database as they were", async () => {
  const path = folder.path();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "#!/bin/sh\necho not a store\n");
  chmodSync(path, 0o755);
  expect(errorOf(await openSqliteStore({ path })).code).toBe("store_unsupported");
  expect(modeOf(path)).toBe("755");
  expect(readFileSync(path, "utf8")).toBe("#!/bin/sh\necho not a store\n");
});
