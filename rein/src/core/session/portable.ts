/** Takes a session out of a store as text and into a store again. The format stands in `portable-format.ts`. */

import { createHash } from "node:crypto";
import { fail, ok, type Result } from "../errors.ts";
import { isErasable } from "./erase-fault.ts";
import { giveBack } from "./give-back.ts";
import type { KernelEvents } from "./kernel-events.ts";
import { writeLine } from "./portable-format.ts";
import type { ExportSource } from "./portable-lines.ts";
import { type ExportReport, readExport } from "./portable-reader.ts";
import type { Append, Commit, EventToStore, Finding, Head, Lease, Owner, Store, StoredEvent } from "./store.ts";

/** Events read from the store at a time. */
const PAGE = 64;

/**
 * The lines of a session's export, each with its newline: its events as they are now, tombstones included, and its blobs. An
 * error ends it; what was written before is then seen to be cut.
 */
export async function* exportSession(store: Store, session: string): AsyncGenerator<Result<string>, void, undefined> {
  const sum = createHash("sha256");
  const line = (text: string): Result<string> => {
    sum.update(text);
    return ok(text);
  };
  const info = await store.session(session);
  if (!info.ok) return yield info;
  if (info.value === null) {
    return yield fail(
      "session_unknown",
      `There is no session ${JSON.stringify(session)} in ${store.name}.`,
      "Check its id.",
    );
  }
  const { head, createdAt, forkedFrom } = info.value;
  const blobs = await store.blobs(session);
  if (!blobs.ok) return yield blobs;
  const counts = { events: head.seq, blobs: blobs.value.length };
  const from = forkedFrom === undefined ? {} : { forkedFrom };
  yield line(writeLine({ kind: "head", head: { session, head, createdAt, ...from, blobs: counts.blobs } }));

  for (let seq = 1; seq <= head.seq; ) {
    const page = await store.read(session, { from: seq, to: head.seq, limit: PAGE });
    if (!page.ok) return yield page;
    if (page.value.length === 0) return yield gone(session, `event ${seq}`);
    for (const event of page.value) yield line(writeLine({ kind: "event", event }));
    seq += page.value.length;
  }
  for (const hash of blobs.value) {
    const bytes = await store.blob(hash);
    if (!bytes.ok) return yield bytes;
    if (bytes.value === null) return yield gone(session, `blob ${hash}`);
    yield line(writeLine({ kind: "blob", hash, bytes: bytes.value }));
  }
  yield ok(writeLine({ kind: "end", end: { ...counts, sha256: sum.digest("hex") } }));
}

function gone(session: string, what: string): Result<never> {
  const message = `While session ${JSON.stringify(session)} was exported, its ${what} went away.`;
  return fail("conflict", message, "It was erased meanwhile: export it again.");
}

/** What {@link importSession} takes. */
export interface ImportOptions {
  /** The process that imports; it holds the session's lease while it does. */
  readonly owner: Owner;
  /** Another id than the one in the file. */
  readonly as?: string;
  /** Take what is whole out of a file that is damaged in the middle. Default false: such a file is refused. */
  readonly salvage?: boolean;
}

/** What was imported. */
export interface Imported {
  /** Its id in this store. */
  readonly session: string;
  /** Its id in the file; null when the first line is damaged. */
  readonly from: string | null;
  readonly events: number;
  readonly erased: number;
  readonly blobs: number;
  /** Events that the file does not hold whole. */
  readonly lost: number;
  /** What was wrong with the file; see {@link ExportReport}. Empty when it is whole. */
  readonly findings: readonly Finding[];
  /** Newest place in this store. */
  readonly head: Head;
}

/** Milliseconds the lease of an import lasts if its process dies. */
const LEASE_MS = 60_000;

/**
 * Reads an export and makes the session of it: the same events with the same seqs, types, versions, times and data, then
 * `session.imported`. Everything is checked before anything is written, and written in one commit, so the whole session is
 * held in memory; the source is only read.
 *
 * A file that is cut gives the events before the cut, and a finding of kind `loss`. A file with damage in the middle is refused
 * with `import_invalid` and the line in `place`; with `salvage` the events that are not whole are replaced, seq by seq, by
 * a notice to the model and `x.lost`, and each is named by a finding. `session_exists` when the id is taken, `import_invalid`
 * when the file is empty or no export, `version_unknown` when a newer Rein wrote it.
 */
export async function importSession(
  store: Store,
  source: ExportSource,
  options: ImportOptions,
): Promise<Result<Imported>> {
  const events: StoredEvent[] = [];
  const blobs = new Map<string, Uint8Array>();
  const report = await readExport(source, {
    event: (event) => events.push(event),
    blob: (hash, bytes) => blobs.set(hash, bytes),
  });
  if (!report.ok) return report;
  const refusal = damageIn(report.value, options.salvage === true);
  if (refusal !== null) return refusal;
  const hole = options.salvage === true ? undefined : events.find(isHole);
  if (hole !== undefined) {
    const message = `Event ${hole.seq} of the file, a ${hole.type}, was erased, which no Rein does: the file was changed.`;
    const hint = "Take another export, or salvage what is whole.";
    return fail("import_invalid", message, hint, { place: { seq: hole.seq } });
  }
  const session = options.as ?? report.value.head?.session;
  if (session === undefined) {
    const hint = "Give the session an id of your own with `as`.";
    return fail("import_invalid", "The first line, which names the session, is damaged.", hint, { place: { line: 1 } });
  }
  const known = await store.session(session);
  if (!known.ok) return known;
  if (known.value !== null) {
    const message = `There is a session ${JSON.stringify(session)} in ${store.name} already.`;
    return fail("session_exists", message, "Import it under another id with `as`.");
  }
  const lease = await store.acquire(session, options.owner, LEASE_MS);
  if (!lease.ok) return lease;
  const written = await write(store, lease.value, events, blobs, report.value);
  const released = await giveBack(store, lease.value);
  if (!written.ok) return written;
  if (!released.ok) return released;
  const { erased, lost, findings } = report.value;
  const counts = { events: events.length, erased, blobs: blobs.size, lost, findings };
  return ok({ session, from: report.value.head?.session ?? null, ...counts, head: written.value });
}

function damageIn({ findings }: ExportReport, salvage: boolean): Result<never> | null {
  const damages = findings.filter(({ kind }) => kind === "damage");
  const [first] = damages;
  if (first === undefined || salvage) return null;
  const more = damages.length === 1 ? "" : ` And ${damages.length - 1} more.`;
  const hint = "Nothing was imported and the file is untouched: take another export, or salvage what is whole.";
  return fail(
    "import_invalid",
    `${first.message}${more}`,
    hint,
    first.place === undefined ? {} : { place: first.place },
  );
}

/** Whether an event lacks data that is never erased. */
function isHole({ data, type }: Pick<StoredEvent, "data" | "type">): boolean {
  return data === null && !isErasable(type);
}

/** Writes a session as one commit, with what was erased as tombstones again. */
async function write(
  store: Store,
  lease: Lease,
  events: readonly StoredEvent[],
  blobs: ReadonlyMap<string, Uint8Array>,
  { head, lost }: ExportReport,
): Promise<Result<Head>> {
  const { session } = lease;
  const imported = { from: head?.session ?? "unknown", hash: head?.head.hash ?? "unknown", lost };
  const rows = [...withoutGaps(events), importedEvent(imported, store.now())];
  const commit: Commit = {
    appends: inAppends(lease, rows),
    blobs: [...blobs].map(([hash, bytes]) => ({ session, hash, bytes })),
  };
  const committed = await store.commit(commit);
  if (!committed.ok) return committed;
  const reached = await store.head(session);
  if (!reached.ok) return reached;
  return reached.value === null ? gone(session, "log") : ok(reached.value);
}

function importedEvent(data: KernelEvents["session.imported"], at: number): EventToStore {
  return { type: "session.imported", version: 1, at, data: JSON.stringify(data) };
}

/** An event to be stored; as a tombstone where it is erased. */
type Row = EventToStore & { readonly erased?: boolean };

/** The events with something in the place of each that is missing, so that every seq stays what it was. */
function* withoutGaps(events: readonly StoredEvent[]): Generator<Row> {
  let last = 0;
  let lastAt = 0;
  for (const { seq, type, version, at, data } of events) {
    const from = last + 1;
    for (let missing = from; missing < seq; missing += 1) {
      yield missing === from
        ? gapNotice(from, seq - 1, lastAt)
        : { type: "x.lost", version: 1, at: lastAt, data: "null" };
    }
    yield { type, version, at, data: data ?? "null", ...(data === null && isErasable(type) && { erased: true }) };
    last = seq;
    lastAt = at;
  }
}

function gapNotice(from: number, to: number, at: number): EventToStore {
  const text =
    `Events ${from} to ${to} of this session were lost when its file was damaged. ` +
    "What was said and done in them is unknown: check before you rely on it.";
  const data: KernelEvents["notice.added"] = { kind: "import_gap", text };
  return { type: "notice.added", version: 1, at, data: JSON.stringify(data) };
}

/** Events and characters of one append: reading one event of it reads it all. */
const APPEND_EVENTS = 64;
const APPEND_CHARACTERS = 262_144;

function inAppends({ session, token }: Lease, events: readonly Row[]): readonly Append[] {
  const appends: Append[] = [];
  let batch: EventToStore[] = [];
  let tombstones: number[] = [];
  let characters = 0;
  let seq = 0;
  for (const [index, { erased, ...event }] of events.entries()) {
    if (erased === true) tombstones.push(batch.length);
    batch.push(event);
    characters += event.data.length;
    const full = batch.length >= APPEND_EVENTS || characters >= APPEND_CHARACTERS;
    if (!full && index < events.length - 1) continue;
    appends.push({
      stream: session,
      token,
      expectedSeq: seq,
      events: batch,
      ...(tombstones.length > 0 && { tombstones }),
    });
    seq += batch.length;
    batch = [];
    tombstones = [];
    characters = 0;
  }
  return appends;
}
