import { ok, type Result } from "../../core/errors.ts";
import { eraseFault } from "../../core/session/index.ts";
import { dropBlob } from "./blobs.ts";
import { eraseFromBody } from "./body-codec.ts";
import type { Connection } from "./connection.ts";
import { damage } from "./faults.ts";
import { holds, noSuchEvent, ownerOf } from "./fork.ts";
import { readEvents } from "./read.ts";
import { expectedHash, fetchRowBefore, parseRow, type RowTools, rewriteBody, type StoredRow } from "./rows.ts";
import { forksOf, needStream, type StreamRow, unknownStream } from "./stream-table.ts";
import { linkBefore } from "./walk.ts";

/** Events read at a time. */
const PAGE = 64;

/** Erases one event for every stream that reads it, with the named blobs; to be called within a write. */
export function eraseEvent(tools: RowTools, session: string, seq: number, blobs: readonly string[]): Result<void> {
  const { connection } = tools;
  const found = needStream(connection, session);
  if (!found.ok) return found;
  if (found.value.seq === 0) return unknownStream(session);
  if (!holds(found.value, seq)) return noSuchEvent(found.value, seq);
  const owner = ownerOf(connection, found.value, seq);
  if (!owner.ok) return owner;
  const row = rowHolding(tools, owner.value, seq);
  if (!row.ok) return row;
  const readers = readersOf(connection, owner.value, seq);
  if (!readers.ok) return readers;
  const follow = readers.value.map(({ name }) => (from: number) => {
    const page = readEvents(tools, name, { from, limit: PAGE });
    // What cannot be read cannot be resumed either.
    return page.ok ? page.value : [];
  });
  const fault = eraseFault(session, seq, row.value.heads[seq - row.value.first]?.type ?? "", follow);
  if (fault !== null) return { ok: false, error: fault };
  eraseEvents(connection, owner.value.id, row.value, new Set([seq]));

  for (const { id } of readers.value) {
    for (const hash of blobs) dropBlob(connection, id, hash);
    // A fold over the event may repeat its text.
    connection.sql("DELETE FROM snapshot WHERE stream = ? AND seq >= ?").run(id, seq);
  }
  return ok(undefined);
}

/** Replaces the data of these events of a row by their digests. */
export function eraseEvents(connection: Connection, stream: number, row: StoredRow, seqs: ReadonlySet<number>): void {
  const indexes = new Set([...seqs].map((seq) => seq - row.first));
  rewriteBody(connection, stream, row, eraseFromBody(row.parts, indexes));
}

/** The row that holds an event, checked: a digest of bytes that were damaged before would bury the damage. */
export function rowHolding(tools: RowTools, stream: StreamRow, seq: number): Result<StoredRow> {
  const { connection } = tools;
  const raw = fetchRowBefore(connection, stream.id, seq);
  const row = raw === undefined ? "it is missing" : parseRow(tools, stream.id, raw);
  const link = linkBefore(tools, stream, seq);
  if (typeof row !== "string" && link.ok && expectedHash(stream.name, link.value.hash, row) === row.hash)
    return ok(row);
  const message = `The append of ${JSON.stringify(stream.name)} that holds event ${seq} is damaged.`;
  return { ok: false, error: damage(connection.file, message, { place: { stream: stream.name, seq } }) };
}

/** A stream and all that were forked from it at an event or behind it, however indirectly. */
function readersOf(connection: Connection, owner: StreamRow, seq: number): Result<readonly StreamRow[]> {
  const readers: StreamRow[] = [];
  const open = [owner];
  for (let stream = open.pop(); stream !== undefined; stream = open.pop()) {
    readers.push(stream);
    const forks = forksOf(connection, stream.id, seq);
    if (!forks.ok) return forks;
    open.push(...forks.value.filter((fork) => fork.baseSeq > stream.baseSeq));
  }
  return ok(readers);
}
