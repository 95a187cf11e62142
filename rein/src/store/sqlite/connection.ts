import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { fail, ok, type Result } from "../../core/errors.ts";
import { busy, faultOf, isBusy } from "./faults.ts";

/** How long SQLite itself may wait for a lock, blocking the event loop, before we wait without blocking it. Milliseconds. */
const BLOCKING_WAIT_MS = 10;

/** Pauses between two tries, growing from the first to the second. Milliseconds. */
const PAUSE_MS = { first: 1, longest: 25 };

/** How a commit is made safe: `normal` against the death of the process, `barrier` against the loss of power too. */
export type Durability = "normal" | "barrier";

/** Settings of a connection. */
export interface ConnectionOptions {
  readonly file: string;
  readonly now: () => number;
  /** How long a locked database is tried again before it is `store_busy`. Milliseconds. */
  readonly busyMs: number;
}

/**
 * One connection to the database: prepared statements by their text, transactions, and the patience with other processes'
 * locks. What a body does is synchronous, so nothing of this process comes between; only waiting for a lock is not.
 */
export class Connection {
  readonly file: string;
  readonly now: () => number;
  readonly db: DatabaseSync;
  readonly #busyMs: number;
  readonly #statements = new Map<string, StatementSync>();
  #durability: Durability = "normal";
  /** Set while a call waits for a lock: later ones queue behind it. */
  #turn: Promise<void> | null = null;
  #open = true;

  constructor(db: DatabaseSync, { file, now, busyMs }: ConnectionOptions) {
    this.db = db;
    this.file = file;
    this.now = now;
    this.#busyMs = busyMs;
    db.exec(`PRAGMA busy_timeout = ${BLOCKING_WAIT_MS}`);
  }

  /** The prepared statement of a text; the text must be a constant, never built from values. */
  sql(text: string): StatementSync {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    const statement = this.db.prepare(text);
    this.#statements.set(text, statement);
    return statement;
  }

  /** Runs `body` on one unchanging state of the database. */
  read<T>(body: () => Result<T>): Promise<Result<T>> {
    return this.attempt(() => this.#transaction("BEGIN", body));
  }

  /** Runs one statement, which is atomic by itself. Throws when busy. */
  alone<T>(statement: () => T, durability: Durability): T {
    this.#makeDurable(durability);
    return statement();
  }

  /** Runs `body` as one atomic unit that nobody else writes beside; an error value or an exception undoes all of it. Throws when busy. */
  write<T>(body: () => Result<T>, durability: Durability): Result<T> {
    this.#makeDurable(durability);
    return this.#transaction("BEGIN IMMEDIATE", body);
  }

  #makeDurable(durability: Durability): void {
    if (durability === this.#durability) return;
    this.db.exec(durability === "barrier" ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
    this.#durability = durability;
  }

  /** Tries `step` until no other process holds the lock it needs, for at most `busyMs`; what is thrown becomes an error value. */
  attempt<T>(step: () => Result<T>): Promise<Result<T>> {
    // Nearly always there is nobody to wait for, and each commit comes through here.
    const first = this.#turn === null ? this.#try(step) : "busy";
    return first === "busy" ? this.#queue(step) : Promise.resolve(first);
  }

  async #queue<T>(step: () => Result<T>): Promise<Result<T>> {
    while (this.#turn !== null) await this.#turn;
    const first = this.#try(step);
    if (first !== "busy") return first;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turn = promise;
    try {
      return await this.#insist(step);
    } finally {
      this.#turn = null;
      resolve();
    }
  }

  /** Closes it, behind whoever waits for a lock. The last connection of all processes moves the WAL into the database and removes it. */
  async close(then: () => void = () => undefined): Promise<Result<void>> {
    while (this.#turn !== null) await this.#turn;
    if (!this.#open) return ok(undefined);
    this.#open = false;
    this.#statements.clear();
    try {
      this.db.close();
      then();
      return ok(undefined);
    } catch (thrown) {
      return { ok: false, error: faultOf(thrown, this.file) };
    }
  }

  async #insist<T>(step: () => Result<T>): Promise<Result<T>> {
    let waited = 0;
    for (let pause = PAUSE_MS.first; waited < this.#busyMs; pause = Math.min(pause * 2, PAUSE_MS.longest)) {
      await sleep(pause);
      waited += pause + BLOCKING_WAIT_MS;
      const result = this.#try(step);
      if (result !== "busy") return result;
    }
    return { ok: false, error: busy(this.file) };
  }

  #try<T>(step: () => Result<T>): Result<T> | "busy" {
    if (!this.#open) return fail("invalid_state", `The store ${this.file} is closed.`, "Open it again.");
    try {
      return step();
    } catch (thrown) {
      return isBusy(thrown) ? "busy" : { ok: false, error: faultOf(thrown, this.file) };
    }
  }

  #transaction<T>(begin: "BEGIN" | "BEGIN IMMEDIATE", body: () => Result<T>): Result<T> {
    this.sql(begin).run();
    let result: Result<T>;
    try {
      result = body();
      if (result.ok) {
        this.sql("COMMIT").run();
        return result;
      }
    } catch (thrown) {
      this.#rollBack();
      throw thrown;
    }
    this.#rollBack();
    return result;
  }

  #rollBack(): void {
    try {
      this.sql("ROLLBACK").run();
    } catch (thrown) {
      // SQLite itself ends a transaction on some faults (a full disk); then there is nothing left to undo.
      if (!(thrown instanceof Error && thrown.message.includes("no transaction is active"))) throw thrown;
    }
  }
}
