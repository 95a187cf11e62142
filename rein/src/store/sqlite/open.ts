import { copyFileSync, existsSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { type ErrorCode, fail, ok, type ReinError, type Result } from "../../core/errors.ts";
import type { Finding, Store } from "../../core/session/index.ts";
import { Connection } from "./connection.ts";
import { damage, faultOf, isNoDatabase } from "./faults.ts";
import { HeadFile } from "./head-file.ts";
import { type HeadNotes, readHeadNotes } from "./head-notes.ts";
import { Kinds } from "./kinds.ts";
import { loadSqlite } from "./load-sqlite.ts";
import { findLoss, type Loss, lossOfAll, noteLoss } from "./losses.ts";
import { currentOwner } from "./owner.ts";
import { PAGE_BYTES } from "./pieces.ts";
import { type Place, preparePlace } from "./place.ts";
import type { RowTools } from "./rows.ts";
import { Salts } from "./salts.ts";
import { checkVersion, MIGRATIONS, type Migration, migrate, readMeta } from "./schema.ts";
import type { SqliteOptions } from "./sqlite-options.ts";
import { SqliteStore } from "./sqlite-store.ts";
import { Watchers } from "./watchers.ts";
import { Writer } from "./writer.ts";

/** Pages of the WAL (4 KiB each) after which SQLite moves them into the database: about 4 MB. */
const WAL_CHECKPOINT_PAGES = 1_000;

const DEFAULT_BUSY_MS = 10_000;

const CANNOT_OPEN: readonly string[] = ["path_unusable", "store_readonly"] satisfies readonly ErrorCode[];

/** Opens a store; other migrations than those of this program are for tests, which make a file as a newer one would. */
export async function openStore(
  options: SqliteOptions,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<Result<Store>> {
  const { path, readOnly = false } = options;
  const place = preparePlace(path, readOnly);
  if (!place.ok) return place;
  let notes: HeadNotes;
  let connection: Connection;
  try {
    // Before the database: whoever commits meanwhile only makes it newer than these notes.
    notes = readHeadNotes(place.value.heads);
    const damaged = await lookAhead(place.value, notes, options);
    if (damaged !== null) return { ok: false, error: damaged };
    connection = await connect(place.value, options);
  } catch (thrown) {
    return { ok: false, error: faultOf(thrown, place.value.file) };
  }
  const opening = new Opening(connection, place.value, notes, options, migrations);
  const store = await opening.run();
  if (!store.ok) await connection.close();
  return store;
}

/**
 * Looks for damage with a connection that cannot write, when there is a WAL: closing one that can would move what is left
 * of the WAL into the database and delete the rest, which somebody may yet want to look at. Accepted damage is set aside.
 */
async function lookAhead(place: Place, notes: HeadNotes, options: SqliteOptions): Promise<ReinError | null> {
  const wal = `${place.file}-wal`;
  const bytes = statSync(wal, { throwIfNoEntry: false })?.size ?? 0;
  if (options.readOnly || notes.greatest === null || bytes === 0) return null;
  const connection = openFile(place.file, place.file, { ...options, readOnly: true });
  const { bootId } = currentOwner();
  const found = await connection.read(() => {
    const meta = readMeta(connection);
    if (!meta.ok) return meta;
    return ok(meta.value === null ? lossOfAll(notes, bootId) : findLoss(connection, notes, bootId));
  });
  const closed = await connection.close();
  // What stands in the way of looking stands in the way of opening too, and is told there.
  if (!found.ok || !closed.ok || found.value?.kind !== "damage") return null;
  if (!options.acceptDamage) return refusal(place.file, found.value);
  copyFileSync(wal, `${wal}-damaged-${found.value.from}`);
  return null;
}

async function connect({ file }: Place, options: SqliteOptions): Promise<Connection> {
  const connection = openFile(file, file, options);
  if (!options.readOnly) return connection;
  const probe = await connection.attempt(() => ok(connection.db.prepare("SELECT 1 FROM sqlite_schema").all()));
  if (probe.ok || !CANNOT_OPEN.includes(probe.error.code) || existsSync(`${file}-wal`)) return connection;
  // Beside a database in a folder that cannot be written to there is no room for the shared memory of a WAL. Without a WAL none is needed.
  await connection.close();
  return openFile(`${pathToFileURL(file).href}?immutable=1`, file, options);
}

function openFile(
  what: string,
  file: string,
  { readOnly = false, now = Date.now, busyMs = DEFAULT_BUSY_MS }: SqliteOptions,
): Connection {
  const { DatabaseSync } = loadSqlite();
  return new Connection(new DatabaseSync(what, { readOnly }), { file, now, busyMs });
}

/** The steps from a connection to a store. */
class Opening {
  readonly #connection: Connection;
  readonly #place: Place;
  readonly #notes: HeadNotes;
  readonly #options: SqliteOptions;
  readonly #migrations: readonly Migration[];

  constructor(
    connection: Connection,
    place: Place,
    notes: HeadNotes,
    options: SqliteOptions,
    migrations: readonly Migration[],
  ) {
    this.#connection = connection;
    this.#place = place;
    this.#notes = notes;
    this.#options = options;
    this.#migrations = migrations;
  }

  async run(): Promise<Result<Store>> {
    const tables = await this.#tables();
    if (!tables.ok) return tables;
    const connection = this.#connection;
    const tools: RowTools = { connection, kinds: new Kinds(connection), salts: new Salts() };
    const watchers = new Watchers(connection);
    const heads = this.#options.readOnly ? null : new HeadFile(this.#place.heads, currentOwner());
    const losses = await this.#losses(new Writer(connection, heads, watchers, () => tools.kinds.forget()));
    if (!losses.ok) {
      heads?.close();
      return losses;
    }
    return ok(new SqliteStore({ tools, watchers, heads, headsFolder: this.#place.heads, losses: losses.value }));
  }

  /** Sees to it that the file holds our tables, new enough, and is set up as we need it. */
  async #tables(): Promise<Result<void>> {
    const connection = this.#connection;
    const known = this.#migrations.at(-1)?.version ?? 0;
    const meta = await connection.attempt(() => this.#meta());
    if (!meta.ok) return meta;
    const version = meta.value === null ? this.#empty() : checkVersion(connection.file, meta.value, known);
    if (!version.ok) return version;
    const set = await connection.attempt(() => this.#setUp(meta.value === null));
    if (!set.ok || version.value >= known || this.#options.readOnly) return set;
    return connection.attempt(() =>
      connection.write(() => {
        // Another process may have been quicker.
        const now = readMeta(connection);
        if (!now.ok) return now;
        migrate(connection, now.value === null ? 0 : Number(now.value.get("schema_version")), this.#migrations);
        return ok(undefined);
      }, "normal"),
    );
  }

  #meta(): Result<ReadonlyMap<string, string> | null> {
    try {
      return readMeta(this.#connection);
    } catch (thrown) {
      if (!isNoDatabase(thrown)) throw thrown;
      const { file } = this.#connection;
      // Head files tell that it was a store once.
      if (this.#notes.greatest !== null)
        return { ok: false, error: damage(file, `The first bytes of ${file} are damaged.`, { cause: thrown }) };
      return fail("store_unsupported", `${file} is not a database.`, "Give the path of another file.", {
        cause: thrown,
        place: { file },
      });
    }
  }

  /** A file without tables is a new one, unless head files tell that it held something since the machine came up. */
  #empty(): Result<number> {
    const { file } = this.#connection;
    if (this.#options.readOnly)
      return fail("path_unusable", `${file} is empty: there is no store in it.`, "Check the path.", {
        place: { file },
      });
    const loss = lossOfAll(this.#notes, currentOwner().bootId);
    return loss?.kind === "damage" && !this.#options.acceptDamage ? { ok: false, error: refusal(file, loss) } : ok(0);
  }

  #setUp(fresh: boolean): Result<void> {
    const { db, file } = this.#connection;
    db.exec(
      "PRAGMA secure_delete = ON; PRAGMA synchronous = NORMAL; PRAGMA cell_size_check = ON; PRAGMA fullfsync = ON",
    );
    db.exec(`PRAGMA wal_autocheckpoint = ${WAL_CHECKPOINT_PAGES}`);
    if (this.#options.readOnly) return ok(undefined);
    if (fresh) db.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
    const mode = db.prepare("PRAGMA journal_mode = WAL").get()?.journal_mode;
    if (mode === "wal") return ok(undefined);
    return fail("store_unsupported", `SQLite keeps no WAL beside ${file}.`, "Put the store on a local disk.", {
      place: { file },
    });
  }

  /** Compares the database with its head files. A loss is noted and told of; damage is refused unless it was accepted. */
  async #losses(writer: Writer): Promise<Result<readonly Finding[]>> {
    const connection = this.#connection;
    const { bootId } = currentOwner();
    const found = await connection.read(() => ok(findLoss(connection, this.#notes, bootId)));
    if (!found.ok) return found;
    const loss = found.value;
    if (loss === null) return ok([]);
    if (loss.kind === "damage" && !this.#options.acceptDamage)
      return { ok: false, error: refusal(connection.file, loss) };
    if (this.#options.readOnly) {
      return ok([
        {
          kind: loss.kind,
          message: loss.message,
          place: { file: connection.file, fromRow: loss.from, toRow: loss.to },
        },
      ]);
    }
    return writer.write((change) => {
      // Another process may have noted it meanwhile.
      const now = findLoss(connection, this.#notes, bootId);
      if (now !== null) noteLoss(connection, now, change);
      return ok([]);
    });
  }
}

function refusal(file: string, { from, to, message }: Loss): ReinError {
  const hint =
    "Nothing was changed. Restore the files from a backup, or open the store with acceptDamage to go on with what is left.";
  return { ...damage(file, `${file} is damaged: ${message}`, { place: { fromRow: from, toRow: to } }), hint };
}
