import { channel } from "node:diagnostics_channel";
import { setTimeout as sleep } from "node:timers/promises";
import { fail, ok, type ReinError, type Result, reinError } from "../../core/errors.ts";
import type {
  Commit,
  Committed,
  Finding,
  Head,
  InboxEntry,
  Job,
  Lease,
  Owner,
  SessionInfo,
  Snapshot,
  Store,
  StoreChange,
  StoredEvent,
  Verification,
} from "../../core/session/index.ts";
import { checkCommit, checkSession, isLedger } from "../check-commit.ts";
import { listBlobs, readBlob } from "./blobs.ts";
import { readCursor, readSnapshot, writeCursor, writeSnapshot } from "./bookmarks.ts";
import { applyCommit } from "./commit.ts";
import type { Connection } from "./connection.ts";
import { readCounter } from "./counters.ts";
import { eraseEvent } from "./erase.ts";
import { FilePresence } from "./file-presence.ts";
import { forkStream } from "./fork.ts";
import type { HeadFile } from "./head-file.ts";
import { dueWakes, readInbox, wantingSessions } from "./inbox.ts";
import { claimJob, finishJob } from "./jobs.ts";
import { acquireLease, isHeld, renewLease, shortenLease } from "./leases.ts";
import { acknowledgeLosses, openLosses } from "./losses.ts";
import { onlyAppend, QuickAppend } from "./quick-append.ts";
import { type Range, readEvents } from "./read.ts";
import { removeSession } from "./remove.ts";
import type { RowTools } from "./rows.ts";
import { readScratch } from "./scratch.ts";
import { headOf, listSessions, sessionInfo } from "./sessions.ts";
import { Verifier } from "./verify.ts";
import type { Watchers } from "./watchers.ts";
import { Writer } from "./writer.ts";

const opened = channel("rein:store:open");
const closed = channel("rein:store:close");

/** How often, and how far apart in milliseconds, the WAL is tried to be emptied after an erasure. */
const PURGE_ROUNDS = 20;
const PURGE_PAUSE_MS = 10;

/** What a store is made of. */
export interface Parts {
  readonly tools: RowTools;
  readonly watchers: Watchers;
  /** Null: opened for reading. */
  readonly heads: HeadFile | null;
  readonly headsFolder: string;
  /** Losses that could not be noted in the database because it was opened for reading. */
  readonly losses: readonly Finding[];
}

/** The port on one database file: each method is one transaction of the functions beside it. */
export class SqliteStore implements Store {
  readonly name: string;
  readonly now: () => number;
  readonly #parts: Parts;
  readonly #connection: Connection;
  readonly #writer: Writer;
  readonly #quick: QuickAppend;
  readonly #presence: FilePresence;
  #open = true;

  constructor(parts: Parts) {
    const { tools, watchers, heads } = parts;
    this.#parts = parts;
    this.#connection = tools.connection;
    this.name = `sqlite:${tools.connection.file}`;
    this.now = tools.connection.now;
    this.#writer = new Writer(tools.connection, heads, watchers, () => tools.kinds.forget());
    this.#quick = new QuickAppend(tools);
    this.#presence = new FilePresence(tools.connection.file);
    opened.publish({ store: this });
  }

  async commit(commit: Commit): Promise<Result<Committed>> {
    const error = checkCommit(commit) ?? this.#presence.fault(this.now());
    if (error !== null) return { ok: false, error };
    const { durability = "normal" } = commit;
    const append = onlyAppend(commit);
    if (append !== null) {
      const quick = await this.#writer.quick(append.stream, (row) => this.#quick.run(append, row), durability);
      if (!quick.ok) return quick;
      const seq = (append.expectedSeq ?? 0) + append.events.length;
      if (quick.value !== null) return ok({ seqs: { [append.stream]: seq }, duplicates: [] });
    }
    return this.#writer.write(
      (change) => applyCommit(this.#parts.tools, commit, change, (stream, place) => this.#quick.learn(stream, place)),
      { durability, appendsOnly: true },
    );
  }

  read(stream: string, range: Range = {}): Promise<Result<readonly StoredEvent[]>> {
    return this.#connection.read(() => readEvents(this.#parts.tools, stream, range));
  }

  head(stream: string): Promise<Result<Head | null>> {
    return this.#connection.read(() => headOf(this.#connection, stream));
  }

  sessions(query: { readonly limit?: number } = {}): Promise<Result<readonly SessionInfo[]>> {
    return this.#connection.read(() => listSessions(this.#connection, query.limit ?? 1_000));
  }

  session(session: string): Promise<Result<SessionInfo | null>> {
    return this.#connection.read(() => (isLedger(session) ? ok(null) : sessionInfo(this.#connection, session)));
  }

  inbox(session: string): Promise<Result<readonly InboxEntry[]>> {
    return this.#connection.read(() => readInbox(this.#connection, session));
  }

  wakeable(): Promise<Result<readonly string[]>> {
    return this.#connection.read(() => {
      const free = wantingSessions(this.#connection).filter(({ id }) => !isHeld(this.#connection, id));
      return ok(free.map(({ session }) => session));
    });
  }

  dueWakes(session: string): Promise<Result<readonly string[]>> {
    return this.#connection.read(() => ok(dueWakes(this.#connection, session)));
  }

  async acquire(
    session: string,
    owner: Owner,
    ttlMs: number,
    options: { readonly steal?: boolean } = {},
  ): Promise<Result<Lease>> {
    const error = checkSession(session) ?? checkTtl(ttlMs);
    if (error !== null) return { ok: false, error };
    const taken = await this.#writer.write(() =>
      acquireLease(this.#connection, session, owner, ttlMs, options.steal ?? false),
    );
    if (taken.ok || taken.error.code !== "lease_held") return taken;
    const shortened = await this.#writer.write(() => ok(shortenLease(this.#connection, session)), { minor: true });
    return shortened.ok ? taken : shortened;
  }

  async renew(lease: Lease, ttlMs: number): Promise<Result<Lease>> {
    const error = checkTtl(ttlMs);
    if (error !== null) return { ok: false, error };
    return this.#writer.write(() => renewLease(this.#connection, lease, ttlMs), { minor: true });
  }

  async fork(parent: string, seq: number, child: string): Promise<Result<Head>> {
    const error = checkSession(parent) ?? checkSession(child);
    if (error !== null) return { ok: false, error };
    return this.#writer.write((change) => forkStream(this.#connection, parent, seq, child, change));
  }

  async erase(
    session: string,
    seq: number,
    options: { readonly blobs?: readonly string[] } = {},
  ): Promise<Result<void>> {
    const error = checkSession(session);
    if (error !== null) return { ok: false, error };
    const erased = await this.#writer.write(() => eraseEvent(this.#parts.tools, session, seq, options.blobs ?? []));
    return erased.ok ? this.#purge() : erased;
  }

  async remove(session: string): Promise<Result<void>> {
    const error = checkSession(session);
    if (error !== null) return { ok: false, error };
    const removed = await this.#writer.write(() => removeSession(this.#parts.tools, session));
    return removed.ok ? this.#purge() : removed;
  }

  blob(hash: string): Promise<Result<Uint8Array | null>> {
    return this.#connection.read(() => readBlob(this.#connection, hash));
  }

  blobs(session: string): Promise<Result<readonly string[]>> {
    return this.#connection.read(() => ok(listBlobs(this.#connection, session)));
  }

  scratch(session: string): Promise<Result<Readonly<Record<string, string>>>> {
    return this.#connection.read(() => ok(readScratch(this.#connection, session)));
  }

  cursor(name: string, stream: string): Promise<Result<number>> {
    return this.#connection.read(() => ok(readCursor(this.#connection, name, stream)));
  }

  setCursor(name: string, stream: string, seq: number): Promise<Result<void>> {
    return this.#writer.write(() => ok(writeCursor(this.#connection, name, stream, seq)), { minor: true });
  }

  snapshot(session: string): Promise<Result<Snapshot | null>> {
    return this.#connection.read(() => ok(readSnapshot(this.#connection, session)));
  }

  saveSnapshot(session: string, snapshot: Snapshot): Promise<Result<void>> {
    return this.#writer.write(() => writeSnapshot(this.#connection, session, snapshot), { minor: true });
  }

  counter(scope: string): Promise<Result<{ readonly reserved: number; readonly spent: number }>> {
    return this.#connection.read(() => ok(readCounter(this.#connection, scope)));
  }

  async claim(queue: string, owner: Owner, ttlMs: number): Promise<Result<Job | null>> {
    const error = checkTtl(ttlMs);
    if (error !== null) return { ok: false, error };
    return this.#writer.write(() => ok(claimJob(this.#connection, queue, owner, ttlMs)), { minor: true });
  }

  finish(job: string): Promise<Result<void>> {
    return this.#writer.write(() => {
      if (finishJob(this.#connection, job)) return ok(undefined);
      return fail("invalid_state", `There is no job ${JSON.stringify(job)}.`, "It was finished before.");
    });
  }

  verify(stream?: string): Promise<Result<Verification>> {
    const verifier = new Verifier(this.#parts.tools, this.#parts.headsFolder);
    return stream === undefined ? verifier.all() : verifier.one(stream);
  }

  async losses(): Promise<Result<readonly Finding[]>> {
    const noted = await this.#connection.read(() => ok(openLosses(this.#connection)));
    const { losses } = this.#parts;
    if (noted.ok) return ok([...losses, ...noted.value]);
    // Of a store that is opened to see what is left, the damage is known already.
    return noted.error.code === "store_damaged" && losses.length > 0 ? ok(losses) : noted;
  }

  acknowledgeLoss(): Promise<Result<void>> {
    return this.#writer.write(() => ok(acknowledgeLosses(this.#connection)));
  }

  watch(listener: (change: StoreChange) => void): () => void {
    return this.#open ? this.#parts.watchers.add(listener) : () => undefined;
  }

  async close(): Promise<Result<void>> {
    if (!this.#open) return ok(undefined);
    closed.publish({ store: this });
    this.#open = false;
    this.#parts.watchers.close();
    return this.#connection.close(() => this.#parts.heads?.close());
  }

  /** Takes what was erased out of the WAL too. A reader of another process may hold that up; if it stays, the last close does it. */
  async #purge(): Promise<Result<void>> {
    for (let round = 0; round < PURGE_ROUNDS; round += 1) {
      const purged = await this.#connection.attempt(() =>
        ok(this.#connection.sql("PRAGMA wal_checkpoint(TRUNCATE)").get()),
      );
      if (!purged.ok) return purged;
      if (purged.value?.busy === 0) break;
      await sleep(PURGE_PAUSE_MS);
    }
    return ok(undefined);
  }
}

function checkTtl(ttlMs: number): ReinError | null {
  if (Number.isFinite(ttlMs) && ttlMs > 0) return null;
  return reinError(
    "invalid_option",
    `A time to live of ${ttlMs} ms makes no sense.`,
    "Give a number of milliseconds above 0.",
  );
}
