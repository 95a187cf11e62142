import { fail, ok, type Result } from "../../core/errors.ts";
import type { Head } from "../../core/session/index.ts";
import { shareBlobs } from "./blobs.ts";
import type { Connection } from "./connection.ts";
import { damage } from "./faults.ts";
import {
  addStream,
  findStream,
  needStream,
  rebase,
  type StreamRow,
  streamById,
  unknownStream,
} from "./stream-table.ts";
import { textOf } from "./values.ts";
import type { Change } from "./writer.ts";

/** Makes a child that reads the events of its parent up to `seq`; to be called within a write. */
export function forkStream(
  connection: Connection,
  parent: string,
  seq: number,
  child: string,
  change: Change,
): Result<Head> {
  const source = needStream(connection, parent);
  if (!source.ok) return source;
  if (source.value.seq === 0) return unknownStream(parent);
  const known = findStream(connection, child);
  if (!known.ok) return known;
  if (known.value !== null && known.value.seq > 0) {
    return fail("session_exists", `There is a session ${JSON.stringify(child)} already.`, "Give another id.");
  }
  if (!holds(source.value, seq)) return noSuchEvent(source.value, seq);
  const owner = ownerOf(connection, source.value, seq);
  if (!owner.ok) return owner;
  const hash = hashAt(connection, owner.value, seq);
  if (!hash.ok) return hash;

  const from = { name: child, seq, hash: hash.value, base: owner.value.id, baseSeq: seq, forkedFrom: parent };
  // A session that only waits (for its first command, say) becomes the fork.
  const id =
    known.value === null
      ? addStream(connection, from, change.row + 1).id
      : rebase(connection, known.value, from, change.row + 1);
  shareBlobs(connection, source.value.id, id);
  change.tell({ kind: "append", stream: child });
  return ok({ seq, hash: hash.value });
}

/** Whether a stream holds an event of that seq. */
export function holds(stream: StreamRow, seq: number): boolean {
  return Number.isSafeInteger(seq) && seq >= 1 && seq <= stream.seq;
}

/** The error for a seq that a stream does not hold. */
export function noSuchEvent({ name, seq: newest }: StreamRow, seq: number): ReturnType<typeof fail> {
  return fail(
    "invalid_option",
    `Session ${JSON.stringify(name)} has no event ${seq}.`,
    `Give a number from 1 to ${newest}.`,
  );
}

/** The stream that holds an event's row: this one or one it reads through. */
export function ownerOf(connection: Connection, stream: StreamRow, seq: number): Result<StreamRow> {
  let current = stream;
  // Each base ends before what was forked from it; a damaged one that does not would lead round for ever.
  while (current.base !== null && seq <= current.baseSeq) {
    const base = streamById(connection, current.base);
    if (!base.ok) return base;
    if (base.value.baseSeq >= current.baseSeq) {
      const message = `What ${JSON.stringify(current.name)} was forked from was changed.`;
      return { ok: false, error: damage(connection.file, message, { place: { table: "stream", id: current.id } }) };
    }
    current = base.value;
  }
  return ok(current);
}

function hashAt(connection: Connection, { id, name }: StreamRow, seq: number): Result<string> {
  const row = connection
    .sql("SELECT lower(hex(hash)) AS hash FROM envelope WHERE stream = ? AND first <= ? ORDER BY first DESC LIMIT 1")
    .get(id, seq);
  if (row !== undefined) return ok(textOf(row, "hash"));
  return {
    ok: false,
    error: damage(connection.file, `The event ${seq} of ${JSON.stringify(name)} is missing.`, {
      place: { stream: name, seq },
    }),
  };
}
