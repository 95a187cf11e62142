import { copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type ErrorCode, fail, ok, type ReinError, type Result } from "../../core/errors.ts";
import type { Finding, Store } from "../../core/session/index.ts";
import { Connection } from "./connection.ts";
import { createFile } from "./create-file.ts";
import { damage, faultOf, isNoDatabase } from "./faults.ts";
import { missingPages, missingPagesText } from "./file-length.ts";
import { filledCopy } from "./filled-copy.ts";
import { HeadFile } from "./head-file.ts";
import { type HeadNotes, readHeadNotes, tellOfChanges } from "./head-notes.ts";
import { Kinds } from "./kinds.ts";
import { loadSqlite } from "./load-sqlite.ts";
import { findingOfLoss, findLoss, headsMissing, isNoted, type Loss, lossOfAll, noteLoss } from "./losses.ts";
import { currentOwner } from "./owner.ts";
import { PAGE_BYTES } from "./pieces.ts";
import { checkWritable, findPlace, goneFault, makePrivate, type Place } from "./place.ts";
import type { RowTools } from "./rows.ts";
import { Salts } from "./salts.ts";
import {
  checkVersion,
  hasHeadFiles,
  isStranger,
  MIGRATIONS,
  type Migration,
  migrate,
  noteHeadFiles,
  readMeta,
} from "./schema.ts";
import type { SqliteOptions } from "./sqlite-options.ts";
import { SqliteStore } from "./sqlite-store.ts";
import { strangerError, strangerFault } from "./stranger.ts";
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
  const found = findPlace(options.path);
  if (!found.ok) return found;
  const place = found.value;
  let notes: HeadNotes;
  let connection: Connection;
  try {
    // Before the database: whoever commits meanwhile only makes it newer than these notes.
    notes = readHeadNotes(place.heads);
    const ready = await prepare(place, notes, options, migrations);
    if (!ready.ok) return ready;
    connection = (await connectToCopy(place, options, migrations)) ?? (await connect(place, options));
  } catch (thrown) {
    return { ok: false, error: faultOf(thrown, place.file) };
  }
  const opening = new Opening(connection, place, notes, options, migrations);
  const store = await opening.run();
  if (store.ok) return store;
  await connection.close();
  return { ok: false, error: withMissingPages(store.error, place.file) };
}

/** Sees to it that a file is there which may be opened. Whatever is refused has not been changed, and nothing was made for it. */
async function prepare(
  place: Place,
  notes: HeadNotes,
  options: SqliteOptions,
  migrations: readonly Migration[],
): Promise<Result<void>> {
  const { file, size } = place;
  const { readOnly = false, acceptDamage = false } = options;
  const gone = goneFault(place, notes);
  if (gone !== null && (readOnly || !acceptDamage)) return { ok: false, error: gone };
  if (size === null && readOnly) {
    const hint = "Check the path; a store opened for reading is not created.";
    return fail("path_unusable", `There is no store at ${file}.`, hint, { place: { file } });
  }
  const stranger = size === null || size === 0 || notes.files > 0 ? null : strangerFault(file);
  if (stranger !== null) return { ok: false, error: stranger };
  if (readOnly) return ok(undefined);
  const writable = checkWritable(place);
  if (!writable.ok) return writable;
  if (gone !== null) setAside(file);
  if (size === null) return createFile(file, (beside) => build(beside, file, options, migrations));
  const damaged = size === 0 ? null : await lookAhead(place, notes, options);
  return damaged === null ? ok(undefined) : { ok: false, error: damaged };
}

/** Makes the tables of a new store. */
async function build(
  beside: string,
  file: string,
  options: Omit<SqliteOptions, "path">,
  migrations: readonly Migration[],
): Promise<Result<void>> {
  const connection = openFile(beside, file, options);
  const made = await connection.attempt(() => {
    const set = setUp(connection, true);
    return set.ok ? connection.write(() => ok(migrate(connection, 0, migrations)), "normal") : set;
  });
  const closed = await connection.close();
  return made.ok ? closed : made;
}

/** The WAL of a database that is gone would be taken for that of the new one. */
function setAside(file: string): void {
  const wal = `${file}-wal`;
  if (existsSync(wal)) renameSync(wal, `${wal}-damaged-${Math.round(statSync(wal).mtimeMs)}`);
  rmSync(`${file}-shm`, { force: true });
}

/**
 * Looks for damage with a connection that cannot write, when there is a WAL: closing one that can would move what is left
 * of the WAL into the database and delete the rest, which somebody may yet want to look at. Accepted damage is set aside.
 */
async function lookAhead(place: Place, notes: HeadNotes, options: SqliteOptions): Promise<ReinError | null> {
  const wal = `${place.file}-wal`;
  const bytes = statSync(wal, { throwIfNoEntry: false })?.size ?? 0;
  if (notes.greatest === null || bytes === 0) return null;
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

/** A database that was cut so short that even its tables are not defined any more is read through a copy; null for any other. */
async function connectToCopy(
  { file }: Place,
  options: SqliteOptions,
  migrations: readonly Migration[],
): Promise<Connection | null> {
  const { readOnly = false, acceptDamage = false } = options;
  if (!readOnly || !acceptDamage || (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return null;
  const missing = missingPages(file);
  if (missing === null) return null;
  const folder = mkdtempSync(join(tmpdir(), "rein-fresh-"));
  try {
    const fresh = join(folder, "fresh.db");
    const built = await build(fresh, fresh, {}, migrations);
    const copy = built.ok ? filledCopy(file, missing, readFileSync(fresh), folder) : null;
    // Once it is open nobody needs its name.
    return copy === null ? null : openFile(`${pathToFileURL(copy).href}?immutable=1`, file, options);
  } finally {
    rmSync(folder, { recursive: true });
  }
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
  { readOnly = false, now = Date.now, busyMs = DEFAULT_BUSY_MS, acceptDamage = false }: Omit<SqliteOptions, "path">,
): Connection {
  const { DatabaseSync } = loadSqlite();
  const damaged = readOnly && acceptDamage;
  const connection = new Connection(new DatabaseSync(what, { readOnly, defensive: !damaged }), { file, now, busyMs });
  // Else SQLite reads nothing at all of a file that was cut. Nothing can be written over this connection.
  if (damaged) connection.db.exec("PRAGMA writable_schema = ON");
  return connection;
}

function setUp({ db, file }: Connection, fresh: boolean): Result<void> {
  db.exec("PRAGMA secure_delete = ON; PRAGMA synchronous = NORMAL; PRAGMA cell_size_check = ON; PRAGMA fullfsync = ON");
  db.exec(`PRAGMA wal_autocheckpoint = ${WAL_CHECKPOINT_PAGES}`);
  if (fresh) db.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
  const mode = db.prepare("PRAGMA journal_mode = WAL").get()?.journal_mode;
  if (mode === "wal") return ok(undefined);
  return fail("store_unsupported", `SQLite keeps no WAL beside ${file}.`, "Put the store on a local disk.", {
    place: { file },
  });
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
    const meta = await this.#tables();
    if (!meta.ok) return meta;
    const connection = this.#connection;
    const tools: RowTools = { connection, kinds: new Kinds(connection), salts: new Salts() };
    const watchers = new Watchers(connection);
    const heads = this.#options.readOnly ? null : new HeadFile(this.#place.heads, currentOwner());
    const losses = await this.#losses(new Writer(connection, heads, watchers, () => tools.kinds.forget()));
    // What is refused keeps its mode.
    if (!losses.ok) {
      heads?.close();
      return losses;
    }
    const fault = heads === null ? null : makePrivate(connection.file);
    if (fault !== null) {
      heads?.close();
      return { ok: false, error: fault };
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
    if (!version.ok || this.#options.readOnly) return version.ok ? ok(undefined) : version;
    const set = await connection.attempt(() => setUp(connection, meta.value === null));
    if (!set.ok) return set;
    const headsNoted = this.#notes.files === 0 || (meta.value !== null && hasHeadFiles(meta.value));
    if (version.value >= known && headsNoted) return set;
    return connection.attempt(() =>
      connection.write(() => {
        // Another process may have been quicker.
        const now = readMeta(connection);
        if (!now.ok) return now;
        const from = now.value === null ? 0 : Number(now.value.get("schema_version"));
        if (from < known) migrate(connection, from, this.#migrations);
        if (!headsNoted) noteHeadFiles(connection);
        return ok(undefined);
      }, "normal"),
    );
  }

  #meta(): Result<ReadonlyMap<string, string> | null> {
    const { db, file } = this.#connection;
    const wasStore = tellOfChanges(this.#notes);
    try {
      if (!wasStore && isStranger(db))
        return { ok: false, error: strangerError(file, "is a database, but not a store of Rein") };
      return readMeta(this.#connection);
    } catch (thrown) {
      if (!isNoDatabase(thrown)) throw thrown;
      if (!wasStore) return { ok: false, error: strangerError(file, "is not a database", thrown) };
      return { ok: false, error: damage(file, `The first bytes of ${file} are damaged.`, { cause: thrown }) };
    }
  }

  /** A file without tables is a new one, unless head files tell that it held something since the machine came up. */
  #empty(): Result<number> {
    const { file } = this.#connection;
    const { readOnly = false, acceptDamage = false } = this.#options;
    const loss = lossOfAll(this.#notes, currentOwner().bootId);
    if (loss !== null && (readOnly || (loss.kind === "damage" && !acceptDamage)))
      return { ok: false, error: refusal(file, loss) };
    if (!readOnly) return ok(0);
    return fail("path_unusable", `${file} is empty: there is no store in it.`, "Check the path.", { place: { file } });
  }

  /** Compares the database with its head files. A loss is noted and told of; damage is refused unless it was accepted. */
  async #losses(writer: Writer): Promise<Result<readonly Finding[]>> {
    const connection = this.#connection;
    const { readOnly = false, acceptDamage = false } = this.#options;
    const found = await connection.read(() => ok(this.#loss()));
    if (!found.ok) {
      // Whoever wants to see what is left is told, and sees it.
      if (!readOnly || !acceptDamage || found.error.code !== "store_damaged") return found;
      const { message, place } = withMissingPages(found.error, connection.file);
      return ok([{ kind: "damage", message, ...(place === undefined ? {} : { place }) }]);
    }
    const loss = found.value;
    if (loss === null) return ok([]);
    if (loss.kind === "damage" && !acceptDamage) return { ok: false, error: refusal(connection.file, loss) };
    if (readOnly) return ok([findingOfLoss(connection.file, loss)]);
    return writer.write((change) => {
      // Another process may have noted it meanwhile.
      if (!isNoted(connection, loss)) noteLoss(connection, loss, change);
      return ok([]);
    });
  }

  #loss(): Loss | null {
    const loss = findLoss(this.#connection, this.#notes, currentOwner().bootId);
    return loss ?? headsMissing(this.#connection, this.#place.heads);
  }
}

function refusal(file: string, { from, to, message }: Loss): ReinError {
  const hint =
    "Nothing was changed. Restore the files from a backup, or open the store with acceptDamage to go on with what is left.";
  return { ...damage(file, `${file} is damaged: ${message}`, { place: { fromRow: from, toRow: to } }), hint };
}

/** An error that comes of a file that was cut, with what is missing of it. */
function withMissingPages(error: ReinError, file: string): ReinError {
  const missing = error.code === "store_damaged" && error.place?.fromRow === undefined ? missingPages(file) : null;
  if (missing === null) return error;
  const { bytes, expected, from, to } = missing;
  const place = { ...error.place, bytes, expected, page: from, toPage: to };
  return { ...error, message: missingPagesText(file, missing), place };
}
