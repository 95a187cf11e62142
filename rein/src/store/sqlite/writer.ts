import { fail, ok, type Result } from "../../core/errors.ts";
import type { StoreChange } from "../../core/session/index.ts";
import type { Connection, Durability } from "./connection.ts";
import { damage, writeFault } from "./faults.ts";
import type { HeadFile } from "./head-file.ts";
import { sealOf } from "./seal.ts";
import { numberOf } from "./values.ts";
import type { Watchers } from "./watchers.ts";

/** What one write does to the file as a whole. */
export interface Change {
  /** Number of the newest change, this one's appends included. */
  readonly row: number;
  /** Tells the number of the newest change before this one, where a statement found it by the way. */
  found(newest: number): void;
  /** Says that an append was made under the next number and as many behind it as it has rows. */
  appended(row: number, rows: number, hash: string): void;
  /** Leaves out the numbers up to this one: they belong to changes that were lost. */
  skipTo(row: number): void;
  /** Payloads that this change wrote are gone again: its number must be kept elsewhere. */
  shortened(): void;
  /** Says what watchers hear once it is done. */
  tell(change: StoreChange): void;
}

/** Options of {@link Writer.write}. */
export interface WriteOptions {
  readonly durability?: Durability;
  /** Not counted and not noted: what may be lost without harm, such as a longer lease or a cache. Default false. */
  readonly minor?: boolean;
  /** The body deletes no payload, so the newest number may be looked up when it is first needed. Default false. */
  readonly appendsOnly?: boolean;
}

/**
 * Makes every change of the file: numbers it, so that a loss can be told later, notes it in the head file, and tells the
 * watchers. A change without an append takes its number in the table `tip`.
 */
export class Writer {
  readonly #connection: Connection;
  readonly #heads: HeadFile | null;
  readonly #watchers: Watchers;
  readonly #undone: () => void;
  /** Number of the newest change this process made: the database may never be behind it. */
  #newest = 0;

  /** `heads` null: the store is opened for reading. `undone` is called when a change was not done after all. */
  constructor(connection: Connection, heads: HeadFile | null, watchers: Watchers, undone: () => void) {
    this.#connection = connection;
    this.#heads = heads;
    this.#watchers = watchers;
    this.#undone = undone;
  }

  /** Runs `body` as one atomic unit; an error value undoes all of it. */
  write<T>(body: (change: Change) => Result<T>, options: WriteOptions = {}): Promise<Result<T>> {
    const heads = this.#heads;
    if (heads === null) {
      const { file } = this.#connection;
      return Promise.resolve(
        fail("store_readonly", `The store ${file} was opened for reading.`, "Open it without readOnly.", {
          place: { file },
        }),
      );
    }
    return this.#connection.attempt(() => this.#once(heads, body, options));
  }

  /**
   * Makes the next change by one statement, if it can be made so: `append` does it under the number it is given and returns the hash
   * of the append, or null when nothing was done. A database that is behind never has the number before it as its newest.
   */
  quick(
    stream: string,
    append: (row: number) => string | null,
    durability: Durability,
  ): Promise<Result<string | null>> {
    const heads = this.#heads;
    if (heads === null || this.#newest === 0) return Promise.resolve(ok(null));
    return this.#connection.attempt(() => {
      const fault = this.#prepare(heads);
      if (fault !== null) return fault;
      const row = this.#newest + 1;
      const hash = this.#connection.alone(() => append(row), durability);
      if (hash === null) return ok(null);
      this.#newest = row;
      heads.note(row, { row, hash });
      this.#watchers.tell([{ kind: "append", stream }]);
      return ok(hash);
    });
  }

  #prepare(heads: HeadFile): ReturnType<typeof fail> | null {
    try {
      heads.prepare();
      return null;
    } catch (thrown) {
      return { ok: false, error: writeFault(thrown, this.#connection.file) };
    }
  }

  #once<T>(heads: HeadFile, body: (change: Change) => Result<T>, options: WriteOptions): Result<T> {
    const { durability = "normal", minor = false, appendsOnly = false } = options;
    if (minor) return this.#connection.write(() => body(NOT_COUNTED), durability);
    const fault = this.#prepare(heads);
    if (fault !== null) return fault;
    const change = new CountedChange(this.#connection);
    let done = false;
    try {
      const result = this.#connection.write(() => {
        if (!appendsOnly) change.found(newestRow(this.#connection));
        return this.#counted(change, body);
      }, durability);
      done = result.ok;
      if (!result.ok) return result;
      this.#newest = change.row;
      heads.note(change.row, change.append);
      this.#watchers.tell(change.told);
      return result;
    } finally {
      if (!done) this.#undone();
    }
  }

  #counted<T>(change: CountedChange, body: (change: Change) => Result<T>): Result<T> {
    const done = body(change);
    // Before what the body says: in a database that lost its newest changes everything looks like a conflict.
    if (change.before < this.#newest) return { ok: false, error: this.#behind(change.before) };
    if (!done.ok) return done;
    change.finish();
    return done;
  }

  #behind(newest: number): ReturnType<typeof damage> {
    const message = `Changes ${newest + 1} to ${this.#newest} are missing, which this process had committed.`;
    return damage(this.#connection.file, message, { place: { from: newest + 1, to: this.#newest } });
  }
}

/** SQL for the number of the newest change of the file. */
export const NEWEST = "max(ifnull((SELECT max(row) FROM payload), 0), ifnull((SELECT row FROM tip), 0))";

const SELECT_NEWEST = `SELECT ${NEWEST} AS row`;

/** Number of the newest change of the file. */
export function newestRow(connection: Connection): number {
  const row = connection.sql(SELECT_NEWEST).get();
  return row === undefined ? 0 : numberOf(row, "row");
}

class CountedChange implements Change {
  readonly told: StoreChange[] = [];
  readonly #connection: Connection;
  append: { readonly row: number; readonly hash: string } | null = null;
  #before = -1;
  #last = 0;
  #isShorter = false;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  found(newest: number): void {
    if (this.#before < 0) this.#before = newest;
  }

  /** Number of the newest change before this one, looked up unless it was found by the way. */
  get before(): number {
    if (this.#before < 0) this.#before = newestRow(this.#connection);
    return this.#before;
  }

  get row(): number {
    return Math.max(this.#last, this.before);
  }

  appended(row: number, rows: number, hash: string): void {
    this.#last = row + rows - 1;
    this.append = { row, hash };
  }

  skipTo(row: number): void {
    this.#last = Math.max(this.row, row);
  }

  shortened(): void {
    this.#isShorter = true;
  }

  tell(change: StoreChange): void {
    this.told.push(change);
  }

  finish(): void {
    if (this.append !== null && !this.#isShorter) return;
    if (this.append === null) this.#last = this.row + 1;
    this.#connection
      .sql(
        "INSERT INTO tip (id, row, seal) VALUES (1, ?, ?) ON CONFLICT (id) DO UPDATE SET row = excluded.row, seal = excluded.seal",
      )
      .run(this.#last, sealOf(this.#last));
  }
}

const NOT_COUNTED: Change = {
  row: 0,
  found: () => undefined,
  appended: () => undefined,
  skipTo: () => undefined,
  shortened: () => undefined,
  tell: () => undefined,
};
