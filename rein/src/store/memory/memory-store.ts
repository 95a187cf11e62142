import { channel } from "node:diagnostics_channel";
import { fail, ok, type ReinError, type Result, reinError } from "../../core/errors.ts";
import {
  type Append,
  type Commit,
  type Committed,
  eraseFault,
  type Finding,
  GENESIS_HASH,
  type Head,
  type InboxEntry,
  type Job,
  type Lease,
  type Owner,
  type SessionInfo,
  type Snapshot,
  type Store,
  type StoreChange,
  type StoredEvent,
  type Verification,
} from "../../core/session/index.ts";
import { checkCommit, checkSession, isLedger } from "../check-commit.ts";
import { tellEach } from "../tell-each.ts";
import { Blobs } from "./blobs.ts";
import { type CounterPlan, Counters } from "./counters.ts";
import { Inboxes } from "./inboxes.ts";
import { Jobs } from "./jobs.ts";
import { Leases, type Liveness } from "./leases.ts";
import { StreamLog } from "./stream-log.ts";

const opened = channel("rein:store:open");
const closed = channel("rein:store:close");

/** A stream with what the store notes of it. */
interface Stream {
  readonly log: StreamLog;
  readonly createdAt: number;
  readonly forkedFrom: { readonly session: string; readonly seq: number } | null;
  updatedAt: number;
  /** Place in the order of use, which no clock can turn round. */
  use: number;
}

const NOTHING: CounterPlan = new Map();
const EMPTY_HEAD: Head = { seq: 0, hash: GENESIS_HASH };

/** Everything of a store, in this process only. A unit is checked as a whole and only then done, so it never tears. */
export class MemoryStore implements Store {
  readonly name = "memory";
  readonly now: () => number;
  readonly streams = new Map<string, Stream>();
  readonly #leases: Leases;
  readonly #inboxes = new Inboxes();
  readonly #counters = new Counters();
  readonly #blobs = new Blobs();
  readonly #jobs = new Jobs();
  readonly #scratch = new Map<string, Map<string, string>>();
  readonly #snapshots = new Map<string, Snapshot>();
  readonly #cursors = new Map<string, Map<string, number>>();
  readonly #listeners = new Set<(change: StoreChange) => void>();
  #uses = 0;
  #closed = false;

  constructor(now: () => number, liveness: Liveness) {
    this.now = now;
    this.#leases = new Leases(now, liveness);
    opened.publish({ store: this });
  }

  async commit(commit: Commit): Promise<Result<Committed>> {
    const error = this.#refusal() ?? checkCommit(commit) ?? this.#checkTokens(commit) ?? this.#checkAppends(commit);
    if (error !== null) return { ok: false, error };
    const wrong = this.#checkTakes(commit) ?? this.#checkScratch(commit) ?? this.#checkReleases(commit);
    if (wrong !== null) return { ok: false, error: wrong };
    const { reserve = [], settle = [] } = commit;
    const plan = reserve.length + settle.length > 0 ? this.#counters.plan(settle, reserve) : ok(NOTHING);
    return plan.ok ? ok(this.#apply(commit, plan.value)) : plan;
  }

  #checkTokens(commit: Commit): ReinError | null {
    for (const { stream, token } of commit.appends ?? []) {
      if (token !== undefined && !this.#leases.isCurrent(stream, token)) return leaseLost(stream, token);
    }
    for (const { session, token } of commit.release ?? []) {
      if (!this.#leases.isCurrent(session, token)) return leaseLost(session, token);
    }
    for (const { session, token } of commit.tokens ?? []) {
      if (!this.#leases.isCurrent(session, token)) return leaseLost(session, token);
    }
    return null;
  }

  #checkAppends({ appends = [] }: Commit): ReinError | null {
    // Two appends of one unit to the same stream: the second stands on the first.
    const planned = appends.length > 1 ? new Map<string, number>() : null;
    for (const { stream, expectedSeq, events } of appends) {
      const seq = planned?.get(stream) ?? this.streams.get(stream)?.log.seq ?? 0;
      if (expectedSeq !== undefined && expectedSeq !== seq) {
        const message = `Session ${JSON.stringify(stream)} is at event ${seq}, not at ${expectedSeq}.`;
        return reinError("conflict", message, "Read the newer events, fold them and decide again.", { place: { seq } });
      }
      planned?.set(stream, seq + events.length);
    }
    return null;
  }

  #checkTakes(commit: Commit): ReinError | null {
    const take = commit.inbox?.take;
    if (take === undefined) return null;
    if (new Set(take).size < take.length) return nothingWaits("A command that is taken twice");
    for (const commandId of take) {
      const session = this.#inboxes.waitsFor(commandId);
      if (session === undefined) return nothingWaits(`Command ${JSON.stringify(commandId)}`);
      if (!holds(commit, session)) return leaseMissing(session);
    }
    return null;
  }

  #checkScratch(commit: Commit): ReinError | null {
    for (const { session } of commit.scratch ?? []) {
      if (!holds(commit, session) && this.#leases.inForce(session) !== undefined) return leaseMissing(session);
    }
    return null;
  }

  #checkReleases(commit: Commit): ReinError | null {
    for (const { session } of commit.release ?? []) {
      const taken = (commit.inbox?.take ?? []).filter((id) => this.#inboxes.waitsFor(id) === session);
      const put = new Set<string>();
      for (const { commandId, session: to } of commit.inbox?.put ?? []) {
        if (to === session && !this.#inboxes.isKnown(commandId)) put.add(commandId);
      }
      const waiting = this.#inboxes.count(session) - taken.length + put.size;
      const due = this.#inboxes.dueWakes(session, this.now(), commit.wake);
      if (waiting + due.length === 0) continue;
      const message = `${waiting} commands and ${due.length} due wakes wait for session ${JSON.stringify(session)}.`;
      return reinError("conflict", message, "Take them in, then release.");
    }
    return null;
  }

  #apply(commit: Commit, plan: CounterPlan): Committed {
    const { appends = [], inbox = {}, release = [] } = commit;
    for (const append of appends) this.#append(append);
    for (const commandId of inbox.take ?? []) this.#inboxes.take(commandId);
    const duplicates: string[] = [];
    for (const { commandId, session, payload } of inbox.put ?? []) {
      if (this.#inboxes.isKnown(commandId)) duplicates.push(commandId);
      else this.#inboxes.put({ commandId, session, payload, putAt: this.now() });
    }
    for (const { session, hash, bytes } of commit.blobs ?? []) this.#blobs.add(session, hash, bytes);
    for (const row of commit.scratch ?? []) this.#setScratch(row);
    this.#counters.apply(plan);
    for (const wake of commit.wake ?? []) this.#inboxes.wake(wake);
    for (const { session } of release) this.#leases.drop(session);
    for (const { queue, key, payload } of commit.enqueue ?? []) this.#jobs.add(queue, key, payload);
    if (this.#listeners.size > 0) this.#notify(commit);
    // Object.fromEntries makes own properties of any name, `__proto__` too.
    const seqs = appends.map(({ stream }) => [stream, this.streams.get(stream)?.log.seq ?? 0] as const);
    return { seqs: Object.fromEntries(seqs), duplicates };
  }

  #append({ stream, events, tombstones = [] }: Append): void {
    if (events.length === 0) return;
    const now = this.now();
    let known = this.streams.get(stream);
    if (known === undefined) {
      known = { log: new StreamLog(stream, null, 0), createdAt: now, forkedFrom: null, updatedAt: now, use: 0 };
      this.streams.set(stream, known);
    }
    const next = known.log.seq + 1;
    known.log.append(events);
    for (const index of tombstones) known.log.erase(next + index);
    known.updatedAt = now;
    known.use = this.#nextUse();
  }

  #setScratch({ session, key, value }: { session: string; key: string; value: string | null }): void {
    const rows = this.#scratch.get(session);
    if (value !== null) {
      if (rows === undefined) this.#scratch.set(session, new Map([[key, value]]));
      else rows.set(key, value);
    } else if (rows?.delete(key) && rows.size === 0) this.#scratch.delete(session);
  }

  async read(
    stream: string,
    range: { readonly from?: number; readonly to?: number; readonly limit?: number } = {},
  ): Promise<Result<readonly StoredEvent[]>> {
    const log = this.streams.get(stream)?.log;
    if (log === undefined) return unknown(stream);
    const from = Math.max(range.from ?? 1, 1);
    const to = Math.min(range.to ?? log.seq, log.seq, from - 1 + (range.limit ?? Number.POSITIVE_INFINITY));
    if (from > to) return ok([]);
    const finding = firstDamage(log, from, to);
    if (finding === undefined) return ok(log.read(from, to));
    const place = { stream: finding.stream ?? stream, from: finding.from ?? from, to: finding.to ?? to };
    return fail("store_damaged", finding.message, "Run `rein verify`; an export or a fork made before may be whole.", {
      place,
    });
  }

  async head(stream: string): Promise<Result<Head | null>> {
    return ok(this.streams.get(stream)?.log.head() ?? null);
  }

  async sessions(query: { readonly limit?: number } = {}): Promise<Result<readonly SessionInfo[]>> {
    const sessions = [...this.streams].filter(([stream]) => !isLedger(stream));
    sessions.sort(([, a], [, b]) => b.use - a.use);
    return ok(sessions.slice(0, query.limit ?? 1_000).map(([session, stream]) => this.#info(session, stream)));
  }

  async session(session: string): Promise<Result<SessionInfo | null>> {
    const stream = isLedger(session) ? undefined : this.streams.get(session);
    return ok(stream === undefined ? null : this.#info(session, stream));
  }

  #info(session: string, { log, createdAt, updatedAt, forkedFrom }: Stream): SessionInfo {
    const lease = this.#leases.inForce(session);
    return {
      session,
      head: log.head(),
      createdAt,
      updatedAt,
      ...(forkedFrom === null ? {} : { forkedFrom }),
      ...(lease === undefined ? {} : { lease }),
      inboxCount: this.#inboxes.count(session),
    };
  }

  async inbox(session: string): Promise<Result<readonly InboxEntry[]>> {
    return ok(this.#inboxes.waiting(session));
  }

  async wakeable(): Promise<Result<readonly string[]>> {
    const wanting = this.#inboxes.wanting(this.now());
    return ok(wanting.filter((session) => this.#leases.inForce(session) === undefined));
  }

  async dueWakes(session: string): Promise<Result<readonly string[]>> {
    return ok(this.#inboxes.dueWakes(session, this.now()));
  }

  async acquire(
    session: string,
    owner: Owner,
    ttlMs: number,
    options: { readonly steal?: boolean } = {},
  ): Promise<Result<Lease>> {
    const error = this.#refusal() ?? checkSession(session) ?? checkTtl(ttlMs);
    if (error !== null) return { ok: false, error };
    return this.#leases.acquire(session, owner, ttlMs, options.steal ?? false);
  }

  async renew(lease: Lease, ttlMs: number): Promise<Result<Lease>> {
    const error = this.#refusal() ?? checkTtl(ttlMs);
    if (error !== null) return { ok: false, error };
    const renewed = this.#leases.renew(lease.session, lease.token, ttlMs);
    return renewed === undefined ? { ok: false, error: leaseLost(lease.session, lease.token) } : ok(renewed);
  }

  async fork(parent: string, seq: number, child: string): Promise<Result<Head>> {
    const error = this.#refusal() ?? checkSession(parent) ?? checkSession(child);
    if (error !== null) return { ok: false, error };
    const source = this.streams.get(parent);
    if (source === undefined) return unknown(parent);
    if (this.streams.has(child)) {
      return fail("session_exists", `There is a session ${JSON.stringify(child)} already.`, "Give another id.");
    }
    if (!hasSeq(source.log, seq)) return outside(parent, seq, source.log);
    const log = new StreamLog(child, source.log.owner(seq), seq);
    const now = this.now();
    const forkedFrom = { session: parent, seq };
    this.streams.set(child, { log, createdAt: now, forkedFrom, updatedAt: now, use: this.#nextUse() });
    this.#blobs.share(parent, child);
    return ok(log.head());
  }

  async erase(
    session: string,
    seq: number,
    options: { readonly blobs?: readonly string[] } = {},
  ): Promise<Result<void>> {
    const error = this.#refusal() ?? checkSession(session);
    if (error !== null) return { ok: false, error };
    const stream = this.streams.get(session);
    if (stream === undefined) return unknown(session);
    if (!hasSeq(stream.log, seq)) return outside(session, seq, stream.log);
    const owner = stream.log.owner(seq);
    const fault = eraseFault(session, seq, owner.typeOf(seq), this.#follow(seq, owner));
    if (fault !== null) return { ok: false, error: fault };
    owner.erase(seq);
    for (const [name, { log }] of this.streams) {
      if (seq > log.seq || log.owner(seq) !== owner) continue;
      for (const blobHash of options.blobs ?? []) this.#blobs.drop(name, blobHash);
      // A fold over the event may repeat its text.
      if ((this.#snapshots.get(name)?.seq ?? 0) >= seq) this.#snapshots.delete(name);
    }
    return ok(undefined);
  }

  /** Reads what follows an event in each session that holds it. */
  #follow(seq: number, owner: StreamLog): readonly ((from: number) => readonly StoredEvent[])[] {
    return [...this.streams.values()]
      .filter(({ log }) => seq <= log.seq && log.owner(seq) === owner)
      .map(
        ({ log }) =>
          (from) =>
            from > log.seq ? [] : log.read(from, log.seq),
      );
  }

  async remove(session: string): Promise<Result<void>> {
    const error = this.#refusal() ?? checkSession(session);
    if (error !== null) return { ok: false, error };
    this.streams.get(session)?.log.remove();
    const dropped = [
      this.streams.delete(session),
      this.#leases.drop(session),
      this.#inboxes.drop(session),
      this.#blobs.dropAll(session),
      this.#scratch.delete(session),
      this.#snapshots.delete(session),
      this.#cursors.delete(session),
    ];
    return dropped.includes(true) ? ok(undefined) : unknown(session);
  }

  async blob(blobHash: string): Promise<Result<Uint8Array | null>> {
    return this.#blobs.get(blobHash);
  }

  async blobs(session: string): Promise<Result<readonly string[]>> {
    return ok(this.#blobs.list(session));
  }

  async scratch(session: string): Promise<Result<Readonly<Record<string, string>>>> {
    return ok(Object.fromEntries(this.#scratch.get(session) ?? []));
  }

  async cursor(name: string, stream: string): Promise<Result<number>> {
    return ok(this.#cursors.get(stream)?.get(name) ?? 0);
  }

  async setCursor(name: string, stream: string, seq: number): Promise<Result<void>> {
    const error = this.#refusal();
    if (error !== null) return { ok: false, error };
    const cursors = this.#cursors.get(stream) ?? new Map<string, number>();
    this.#cursors.set(stream, cursors.set(name, seq));
    return ok(undefined);
  }

  async snapshot(session: string): Promise<Result<Snapshot | null>> {
    return ok(this.#snapshots.get(session) ?? null);
  }

  async saveSnapshot(session: string, snapshot: Snapshot): Promise<Result<void>> {
    const error = this.#refusal();
    if (error !== null) return { ok: false, error };
    if (!this.streams.has(session)) return unknown(session);
    this.#snapshots.set(session, snapshot);
    return ok(undefined);
  }

  async counter(scope: string): Promise<Result<{ readonly reserved: number; readonly spent: number }>> {
    return ok(this.#counters.get(scope));
  }

  async claim(queue: string, _owner: Owner, ttlMs: number): Promise<Result<Job | null>> {
    const error = this.#refusal() ?? checkTtl(ttlMs);
    return error !== null ? { ok: false, error } : ok(this.#jobs.claim(queue, ttlMs, this.now()));
  }

  async finish(job: string): Promise<Result<void>> {
    const error = this.#refusal();
    if (error !== null) return { ok: false, error };
    if (this.#jobs.finish(job)) return ok(undefined);
    return fail("invalid_state", `There is no job ${JSON.stringify(job)}.`, "It was finished before.");
  }

  async verify(stream?: string): Promise<Result<Verification>> {
    if (stream !== undefined && !this.streams.has(stream)) return unknown(stream);
    const streams = stream === undefined ? [...this.streams.keys()] : [stream];
    // What several forks share is looked at once, as far as the one that needs most of it.
    const needed = new Map<StreamLog, number>();
    for (const name of streams) {
      let to = Number.POSITIVE_INFINITY;
      for (let log = this.streams.get(name)?.log ?? null; log !== null; log = log.parent) {
        needed.set(log, Math.max(needed.get(log) ?? 0, Math.min(to, log.seq)));
        to = log.base;
      }
    }
    const findings: Finding[] = [];
    let events = 0;
    let erased = 0;
    for (const [log, to] of needed) {
      findings.push(...log.check(1, to));
      const own = log.read(log.base + 1, to);
      events += own.length;
      erased += own.filter((event) => event.data === null).length;
    }
    const heads = streams.map((name) => [name, this.streams.get(name)?.log.head() ?? EMPTY_HEAD] as const);
    return ok({
      ok: findings.length === 0,
      streams: heads.length,
      events,
      erased,
      findings,
      heads: Object.fromEntries(heads),
    });
  }

  async losses(): Promise<Result<readonly Finding[]>> {
    return ok([]);
  }

  async acknowledgeLoss(): Promise<Result<void>> {
    return ok(undefined);
  }

  watch(listener: (change: StoreChange) => void): () => void {
    // A box of its own, so that the same listener may watch twice and stop once.
    const entry = (change: StoreChange): void => listener(change);
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
    };
  }

  async close(): Promise<Result<void>> {
    if (this.#closed) return ok(undefined);
    closed.publish({ store: this });
    this.#closed = true;
    this.#listeners.clear();
    return ok(undefined);
  }

  /** Listeners run in a task of their own, so that what one throws can't undo a commit that has happened. */
  #notify(commit: Commit): void {
    const changes: StoreChange[] = [];
    for (const { stream } of commit.appends ?? []) changes.push({ kind: "append", stream });
    // A wake counts as an entry of the inbox.
    const entered = new Set<string>();
    for (const { session } of commit.inbox?.put ?? []) entered.add(session);
    for (const { session, at } of commit.wake ?? []) if (at !== null) entered.add(session);
    for (const stream of entered) changes.push({ kind: "inbox", stream });
    queueMicrotask(() => {
      for (const change of changes) tellEach(this.#listeners, change);
    });
  }

  #nextUse(): number {
    this.#uses += 1;
    return this.#uses;
  }

  #refusal(): ReinError | null {
    return this.#closed ? reinError("invalid_state", "The store is closed.", "Open it again.") : null;
  }
}

/** Whether a commit shows the token of a session; that it is the current one has been checked. */
function holds({ appends = [], release = [], tokens = [] }: Commit, session: string): boolean {
  return (
    appends.some(({ stream }) => stream === session) ||
    release.some((entry) => entry.session === session) ||
    tokens.some((entry) => entry.session === session)
  );
}

function firstDamage(stream: StreamLog, from: number, to: number): Finding | undefined {
  let end = to;
  for (let log: StreamLog | null = stream; log !== null && end >= from; log = log.parent) {
    const [finding] = log.check(from, end);
    if (finding !== undefined) return finding;
    end = Math.min(end, log.base);
  }
  return undefined;
}

function hasSeq(log: StreamLog, seq: number): boolean {
  return Number.isSafeInteger(seq) && seq >= 1 && seq <= log.seq;
}

function outside(session: string, seq: number, log: StreamLog): Result<never> {
  const message = `Session ${JSON.stringify(session)} has no event ${seq}.`;
  return fail("invalid_option", message, `Give a number from 1 to ${log.seq}.`);
}

function unknown(stream: string): Result<never> {
  return fail(
    "session_unknown",
    `There is no session ${JSON.stringify(stream)}.`,
    "`rein sessions` lists the sessions there are.",
  );
}

function leaseLost(session: string, token: number): ReinError {
  const message = `Token ${token} is not the current one of session ${JSON.stringify(session)}.`;
  return reinError(
    "lease_lost",
    message,
    "Another process took the session, or it was given back: stop all effects and resume it anew.",
  );
}

function leaseMissing(session: string): ReinError {
  const message = `This needs the lease of session ${JSON.stringify(session)}.`;
  return reinError("lease_lost", message, "Give its token in an append, a release or `tokens`.");
}

function nothingWaits(what: string): ReinError {
  return reinError("conflict", `${what} does not wait in an inbox.`, "It was taken before: read the inbox again.");
}

function checkTtl(ttlMs: number): ReinError | null {
  if (Number.isFinite(ttlMs) && ttlMs > 0) return null;
  return reinError(
    "invalid_option",
    `A time to live of ${ttlMs} ms makes no sense.`,
    "Give a number of milliseconds above 0.",
  );
}
