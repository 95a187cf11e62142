/**
 * The tables, and how they grow. A new version of Rein may add tables, indexes and columns with a default, never change or
 * drop any, so that an older program on the same file goes on working; only when that cannot be is `min_reader` raised.
 *
 * - `stream`: one row for each session or ledger: what it was forked from, its fencing token, and a seal over all of it. A
 *   removed stream stays as long as a fork reads through it.
 * - `envelope`: one row for each append, and behind the last of a stream one that says where the stream ends (its seq and
 *   hash): on the page that an append writes anyhow, and missed when the end of the stream is.
 * - `payload`: the data of an append, in one row, or in several where one would leave its page half empty. `row` numbers the
 *   changes of the whole file; `tip` holds the number of the newest change where that is no append.
 * - `kind`: the types of events, so that an envelope holds a number.
 */
import { hash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { fail, ok, type Result } from "../../core/errors.ts";
import type { Connection } from "./connection.ts";
import { damage } from "./faults.ts";
import { sealOf } from "./seal.ts";
import { textOf } from "./values.ts";

/** One step from the version before to this one. */
export interface Migration {
  readonly version: number;
  /** The oldest version of the schema whose program can still work on the file after this step. */
  readonly minReader: number;
  readonly statements: readonly string[];
}

/** Every step there is, in order. */
export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    minReader: 1,
    statements: [
      `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL, seal BLOB NOT NULL) STRICT, WITHOUT ROWID`,
      `CREATE TABLE tip (id INTEGER PRIMARY KEY CHECK (id = 1), row INTEGER NOT NULL, seal BLOB NOT NULL) STRICT`,
      `CREATE TABLE kind (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT`,
      `CREATE TABLE stream (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        base INTEGER,
        base_seq INTEGER NOT NULL,
        forked_from TEXT,
        removed INTEGER NOT NULL,
        token INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        seal BLOB NOT NULL
      ) STRICT`,
      `CREATE UNIQUE INDEX stream_name ON stream (name) WHERE removed = 0`,
      `CREATE TABLE envelope (
        stream INTEGER NOT NULL,
        first INTEGER NOT NULL,
        row INTEGER NOT NULL,
        pieces INTEGER NOT NULL,
        heads BLOB NOT NULL,
        hash BLOB NOT NULL,
        PRIMARY KEY (stream, first)
      ) STRICT, WITHOUT ROWID`,
      `CREATE TABLE payload (row INTEGER PRIMARY KEY, stream INTEGER NOT NULL, first INTEGER NOT NULL, body BLOB NOT NULL) STRICT`,
      `CREATE TABLE lease (
        stream INTEGER PRIMARY KEY,
        token INTEGER NOT NULL,
        owner TEXT NOT NULL,
        ttl REAL NOT NULL,
        expires_at REAL NOT NULL,
        seal BLOB NOT NULL
      ) STRICT`,
      // Keeps the tokens of removed sessions from being given twice, without keeping their names.
      `CREATE TABLE fence (name_hash BLOB PRIMARY KEY, token INTEGER NOT NULL, seal BLOB NOT NULL) STRICT, WITHOUT ROWID`,
      // A taken command keeps its id, so that a second put of it is known; its payload goes.
      `CREATE TABLE command (
        n INTEGER PRIMARY KEY,
        id BLOB NOT NULL UNIQUE,
        stream INTEGER NOT NULL,
        put_at INTEGER NOT NULL,
        payload BLOB,
        seal BLOB NOT NULL
      ) STRICT`,
      `CREATE INDEX command_waiting ON command (stream, n) WHERE payload IS NOT NULL`,
      `CREATE TABLE blob (id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, bytes BLOB NOT NULL) STRICT`,
      `CREATE TABLE blob_ref (blob INTEGER NOT NULL, stream INTEGER NOT NULL, seal BLOB NOT NULL, PRIMARY KEY (blob, stream)) STRICT, WITHOUT ROWID`,
      `CREATE TABLE scratch (
        stream INTEGER NOT NULL,
        key BLOB NOT NULL,
        value BLOB NOT NULL,
        seal BLOB NOT NULL,
        PRIMARY KEY (stream, key)
      ) STRICT, WITHOUT ROWID`,
      `CREATE TABLE wake (
        stream INTEGER NOT NULL,
        name BLOB NOT NULL,
        at REAL NOT NULL,
        seal BLOB NOT NULL,
        PRIMARY KEY (stream, name)
      ) STRICT, WITHOUT ROWID`,
      `CREATE TABLE spending (scope BLOB PRIMARY KEY, spent REAL NOT NULL, seal BLOB NOT NULL) STRICT, WITHOUT ROWID`,
      `CREATE TABLE reservation (
        scope BLOB NOT NULL,
        key BLOB NOT NULL,
        amount REAL NOT NULL,
        seal BLOB NOT NULL,
        PRIMARY KEY (scope, key)
      ) STRICT, WITHOUT ROWID`,
      `CREATE TABLE job (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        queue BLOB NOT NULL,
        key BLOB NOT NULL,
        payload BLOB NOT NULL,
        owner TEXT,
        ttl REAL,
        expires_at REAL,
        seal BLOB NOT NULL
      ) STRICT`,
      `CREATE TABLE cursor (
        stream BLOB NOT NULL,
        name BLOB NOT NULL,
        seq INTEGER NOT NULL,
        seal BLOB NOT NULL,
        PRIMARY KEY (stream, name)
      ) STRICT, WITHOUT ROWID`,
      `CREATE TABLE snapshot (
        stream INTEGER PRIMARY KEY,
        seq INTEGER NOT NULL,
        hash TEXT NOT NULL,
        version TEXT NOT NULL,
        body BLOB NOT NULL,
        seal BLOB NOT NULL
      ) STRICT`,
      `CREATE TABLE loss (
        id INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,
        first_row INTEGER NOT NULL,
        last_row INTEGER NOT NULL,
        found_at INTEGER NOT NULL,
        acknowledged INTEGER NOT NULL,
        seal BLOB NOT NULL
      ) STRICT`,
    ],
  },
];

/** Whether a database holds tables and they are another program's. */
export function isStranger(db: DatabaseSync): boolean {
  const names = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  return names.length > 0 && !OURS.every((name) => names.some((row) => row.name === name));
}

/** Tables that every version has. */
const OURS = ["meta", "stream", "envelope", "payload"];

/** What the file says of itself; null when it holds no table at all. */
export function readMeta(connection: Connection): Result<ReadonlyMap<string, string> | null> {
  const tables = connection.db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  if (tables.length === 0) return ok(null);
  const missing = OURS.find((name) => !tables.some((row) => row.name === name));
  if (missing !== undefined) {
    const place = { table: "sqlite_schema" };
    return { ok: false, error: damage(connection.file, `The table ${missing} is missing.`, { place }) };
  }
  const meta = new Map<string, string>();
  for (const row of connection.db.prepare("SELECT key, value, seal FROM meta").all()) {
    const key = textOf(row, "key");
    const value = textOf(row, "value");
    const seal = row.seal;
    if (!(seal instanceof Uint8Array) || !sealOf(key, value).equals(seal)) {
      return {
        ok: false,
        error: damage(connection.file, `The entry ${key} of the table meta was changed.`, { place: { table: "meta" } }),
      };
    }
    meta.set(key, value);
  }
  return ok(meta);
}

/** Refuses a file that only a newer Rein can read, and one that does not say what it is. */
export function checkVersion(file: string, meta: ReadonlyMap<string, string>, known: number): Result<number> {
  const version = Number(meta.get("schema_version"));
  const minReader = Number(meta.get("min_reader"));
  if (!Number.isSafeInteger(version) || !Number.isSafeInteger(minReader)) {
    return {
      ok: false,
      error: damage(file, "The table meta does not say which version of the schema this is.", {
        place: { table: "meta" },
      }),
    };
  }
  if (minReader > known) {
    return fail(
      "version_unknown",
      `${file} was written by a newer Rein: it needs schema ${minReader}, this one knows ${known}.`,
      "Update Rein, or export the sessions with the newer one and import them into another store.",
      { place: { file, schema: version, minReader } },
    );
  }
  return ok(version);
}

/** Takes the steps a file lacks; to be called within a write transaction. */
export function migrate(connection: Connection, from: number, migrations: readonly Migration[] = MIGRATIONS): void {
  const isNew = from === 0;
  let minReader = 1;
  let version = from;
  for (const migration of migrations) {
    minReader = Math.max(minReader, migration.minReader);
    if (migration.version <= from) continue;
    for (const statement of migration.statements) connection.db.exec(statement);
    version = migration.version;
  }
  writeMeta(connection, "schema_version", String(version));
  writeMeta(connection, "min_reader", String(minReader));
  writeMeta(connection, "schema_digest", schemaDigest(connection));
  if (isNew) noteHeadFiles(connection);
}

const HEADS = "head_files";

/** Whether the file says that head files are kept beside it from its first change on. */
export function hasHeadFiles(meta: ReadonlyMap<string, string>): boolean {
  return meta.get(HEADS) === "kept";
}

/** Makes the file say so; to be called within a write transaction. */
export function noteHeadFiles(connection: Connection): void {
  writeMeta(connection, HEADS, "kept");
}

function writeMeta(connection: Connection, key: string, value: string): void {
  connection.db
    .prepare(
      "INSERT INTO meta (key, value, seal) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value, seal = excluded.seal",
    )
    .run(key, value, sealOf(key, value));
}

/** Digest of the definitions of all tables and indexes. */
export function schemaDigest(connection: Connection): string {
  const rows = connection.db.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name").all();
  const texts = rows.map((row) => [row.type, row.name, row.tbl_name, row.sql]);
  return hash("sha256", JSON.stringify(texts), "hex");
}
