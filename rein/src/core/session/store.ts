/**
 * The store port: what Rein asks of the thing that keeps sessions. A store never reads a payload. It keeps streams of
 * events (sessions and ledgers), an inbox and a lease per session, blobs, scratch rows, cursors, snapshots, counters,
 * wakes and jobs. `storeConformance` (`rein/store-conformance`) tests any implementation of it.
 */
import type { Result } from "../errors.ts";

/** An event as the store sees it: an envelope and the text of its data. */
export interface StoredEvent {
  /** Place in the stream, from 1, without gaps. */
  readonly seq: number;
  readonly type: string;
  /** Version of the shape of `data`. */
  readonly version: number;
  /** Wall clock as read, milliseconds since 1970; may step back. Order is `seq`. */
  readonly at: number;
  /** JSON text, kept byte for byte; `null` where the event was erased (a tombstone). */
  readonly data: string | null;
}

/** An event on its way into the store. */
export interface EventToStore {
  readonly type: string;
  readonly version: number;
  readonly at: number;
  readonly data: string;
}

/** Who holds a lease. Two owners are the same process only if all five agree. */
export interface Owner {
  readonly host: string;
  /** Changes with each boot of the machine. */
  readonly bootId: string;
  /** The pid namespace; a pid means nothing outside it. */
  readonly pidNamespace: string;
  readonly pid: number;
  /** Start time of the process in the unit of the system; tells a reused pid from the old one. */
  readonly startTime: string;
}

/** The right to append to one session. */
export interface Lease {
  readonly session: string;
  /** Fencing token: grows by one with every taking, also after a release. */
  readonly token: number;
  readonly owner: Owner;
  /** Milliseconds since 1970 by the store's clock. */
  readonly expiresAt: number;
}

/** A command waiting in an inbox. */
export interface InboxEntry {
  readonly commandId: string;
  readonly session: string;
  /** JSON text. */
  readonly payload: string;
  /** Store's clock, milliseconds. */
  readonly putAt: number;
}

/** One append to one stream. */
export interface Append {
  /** A session id, or `ledger:NAME` for a ledger. */
  readonly stream: string;
  /** Required for a session: the seq of its newest event (0 for a new one). Absent for a ledger. */
  readonly expectedSeq?: number;
  /** Required for a session: the token of the lease. Absent for a ledger. */
  readonly token?: number;
  readonly events: readonly EventToStore[];
  /** Indexes of events that are stored as if they had been erased: their data is not kept. For copies; `invalid_option` for a type that is never erased. */
  readonly tombstones?: readonly number[];
}

/** A conditional increase of a counter. */
export interface Reservation {
  readonly scope: string;
  /** Names this reservation, so that it can be settled; unique within the scope. */
  readonly key: string;
  readonly amount: number;
  /** The most that may be reserved and spent together in this scope. */
  readonly limit: number;
}

/** The end of a reservation: what was really spent. */
export interface Settlement {
  readonly scope: string;
  readonly key: string;
  readonly actual: number;
}

/** One atomic unit: all of it happens or nothing. */
export interface Commit {
  readonly appends?: readonly Append[];
  readonly inbox?: {
    readonly put?: readonly { readonly commandId: string; readonly session: string; readonly payload: string }[];
    /** Ids of commands taken in by this commit. Needs the token of the session's lease, given by an append, a release or `tokens`. */
    readonly take?: readonly string[];
  };
  readonly blobs?: readonly { readonly session: string; readonly hash: string; readonly bytes: Uint8Array }[];
  /** `null` deletes the row. Rows of a session need its lease's token while one is held, given by an append, a release or `tokens`. */
  readonly scratch?: readonly { readonly session: string; readonly key: string; readonly value: string | null }[];
  readonly reserve?: readonly Reservation[];
  readonly settle?: readonly Settlement[];
  /** Durable timers, one per session and name; `at` null deletes it. A due one counts as an inbox entry. */
  readonly wake?: readonly { readonly session: string; readonly name: string; readonly at: number | null }[];
  /** Gives the lease back; refuses the whole commit with `conflict` while the inbox holds an entry or a wake is due. */
  readonly release?: readonly { readonly session: string; readonly token: number }[];
  /** Tokens of sessions this commit touches without appending to them; `lease_lost` unless each is the current one. */
  readonly tokens?: readonly { readonly session: string; readonly token: number }[];
  readonly enqueue?: readonly { readonly queue: string; readonly key: string; readonly payload: string }[];
  /** `barrier` asks that this commit is synced to the disk before the promise resolves (an intent under `strict`). Default `normal`. */
  readonly durability?: "normal" | "barrier";
}

/** What a commit did. */
export interface Committed {
  /** Newest seq of each stream that was appended to. */
  readonly seqs: Readonly<Record<string, number>>;
  /** Command ids of `inbox.put` that were already known, and so put nothing. */
  readonly duplicates: readonly string[];
}

/** The newest place of a stream. */
export interface Head {
  readonly seq: number;
  /** Hex of the chain's hash at `seq`; 64 zeros for an empty stream. */
  readonly hash: string;
}

/** What is known of a session without reading it. */
export interface SessionInfo {
  readonly session: string;
  readonly head: Head;
  /** Store's clock, milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly forkedFrom?: { readonly session: string; readonly seq: number };
  readonly lease?: Lease;
  readonly inboxCount: number;
}

/** One finding of {@link Store.verify}. */
export interface Finding {
  /** damage: bytes changed or are missing. loss: the newest commits are missing after another boot. notice: harmless, but worth saying. */
  readonly kind: "damage" | "loss" | "notice";
  readonly message: string;
  readonly stream?: string;
  /** First and last seq concerned, where known. */
  readonly from?: number;
  readonly to?: number;
  readonly place?: Readonly<Record<string, string | number>>;
}

/** What {@link Store.verify} found. */
export interface Verification {
  /** No damage and no loss. */
  readonly ok: boolean;
  readonly streams: number;
  readonly events: number;
  readonly erased: number;
  readonly findings: readonly Finding[];
  readonly heads: Readonly<Record<string, Head>>;
}

/** A saved fold; a cache that may vanish or be thrown away at any time. */
export interface Snapshot {
  readonly seq: number;
  /**
   * The chain's hash at `seq`, when it was saved. Compared with the log's where `seq` is its newest. A store that keeps snapshots where
   * they can outlive events of the log compares it behind that too, and gives null for a snapshot of another history.
   */
  readonly hash: string;
  /** Names the code that made it; another version ignores it. */
  readonly version: string;
  readonly body: string;
}

/** What changed: an append to a stream, a put into a session's inbox, or anything at all by another process. */
export type StoreChange =
  | { readonly kind: "append" | "inbox"; readonly stream: string }
  | { readonly kind: "elsewhere"; readonly stream: null };

/** A claimed job of a queue. */
export interface Job {
  readonly id: string;
  readonly queue: string;
  readonly key: string;
  readonly payload: string;
}

/** The store port. Every method returns errors as values; none throws for a foreseeable fault. */
export interface Store {
  /** How it names itself in messages: `memory`, `sqlite:PATH`. */
  readonly name: string;

  /** Commits one atomic unit. `conflict` when `expectedSeq` is not the newest; `lease_lost` when the token is not the current one;
   * `budget_refused` when a reservation does not fit; `store_full`, `store_readonly`, `store_io`, `store_busy`. */
  commit(commit: Commit): Promise<Result<Committed>>;

  /** Events of a stream in order, from `from` (default 1) to `to` (default newest) inclusive, at most `limit`. Verifies the bytes it
   * reads; `store_damaged` names the place. Unknown stream: `session_unknown`. A fork reads through to its parents. */
  read(
    stream: string,
    range?: { readonly from?: number; readonly to?: number; readonly limit?: number },
  ): Promise<Result<readonly StoredEvent[]>>;

  /** The newest place of a stream, or null when there is no such stream. */
  head(stream: string): Promise<Result<Head | null>>;

  /** Sessions, newest use first; at most `limit` (default 1,000). */
  sessions(query?: { readonly limit?: number }): Promise<Result<readonly SessionInfo[]>>;

  session(session: string): Promise<Result<SessionInfo | null>>;

  /** Waiting commands of a session, oldest first. */
  inbox(session: string): Promise<Result<readonly InboxEntry[]>>;

  /** Sessions that nobody holds and that have an inbox entry or a due wake. */
  wakeable(): Promise<Result<readonly string[]>>;

  /** Names of the due wakes of a session. */
  dueWakes(session: string): Promise<Result<readonly string[]>>;

  /** Takes the lease of a session (which may be new) for `ttlMs`. `lease_held` names the holder, unless it has expired by the store's
   * clock, or its owner is dead in this pid namespace, or `steal` is set (kill). */
  acquire(session: string, owner: Owner, ttlMs: number, options?: { readonly steal?: boolean }): Promise<Result<Lease>>;

  /** Extends a lease; `lease_lost` when another took it. */
  renew(lease: Lease, ttlMs: number): Promise<Result<Lease>>;

  /** A child session whose events up to `seq` are those of the parent. `seq` must be between 1 and the parent's newest. Nothing but
   * events (and the blobs they name) comes along. The child continues the parent's chain. `session_exists` when the id is taken. */
  fork(parent: string, seq: number, child: string): Promise<Result<Head>>;

  /** Erases the data of one event, for every fork, and leaves a tombstone; drops the named blobs of that session. The chain still verifies.
   * An event that recovery needs (`eraseFault`) and a seq that is not there are refused as `invalid_option`, and change nothing. */
  erase(session: string, seq: number, options?: { readonly blobs?: readonly string[] }): Promise<Result<void>>;

  /** Deletes a session: its references, inbox, lease, scratch, snapshots, wakes. Payloads live until the last fork goes. */
  remove(session: string): Promise<Result<void>>;

  /** A blob by its SHA-256 in hex, verified; null when there is none. */
  blob(hash: string): Promise<Result<Uint8Array | null>>;

  /** Hashes of the blobs a session keeps, its own and those that came along with a fork, sorted. */
  blobs(session: string): Promise<Result<readonly string[]>>;

  scratch(session: string): Promise<Result<Readonly<Record<string, string>>>>;

  /** The seq a named reader of a stream has reached; 0 when it has none. */
  cursor(name: string, stream: string): Promise<Result<number>>;
  setCursor(name: string, stream: string, seq: number): Promise<Result<void>>;

  snapshot(session: string): Promise<Result<Snapshot | null>>;
  saveSnapshot(session: string, snapshot: Snapshot): Promise<Result<void>>;

  /** What is reserved and spent in a scope. */
  counter(scope: string): Promise<Result<{ readonly reserved: number; readonly spent: number }>>;

  /** Claims the oldest free job of a queue for `ttlMs`; null when there is none. A claim that expires frees the job again. */
  claim(queue: string, owner: Owner, ttlMs: number): Promise<Result<Job | null>>;
  finish(job: string): Promise<Result<void>>;

  /** Checks chain, digests, contiguity, heads and the file itself. With a stream: that one alone. */
  verify(stream?: string): Promise<Result<Verification>>;

  /** Losses found at opening that no log has recorded yet (`store.lost`); cleared by `acknowledgeLoss`. */
  losses(): Promise<Result<readonly Finding[]>>;
  acknowledgeLoss(): Promise<Result<void>>;

  /** Calls back after each commit that this process, or with some delay (≤ 50 ms) another, made. Returns the way to stop. */
  watch(listener: (change: StoreChange) => void): () => void;

  /** The store's clock, milliseconds since 1970. */
  now(): number;

  close(): Promise<Result<void>>;
}
