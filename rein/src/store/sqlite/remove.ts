import { hash as digestOf } from "node:crypto";
import { ok, type Result } from "../../core/errors.ts";
import { dropAllBlobs } from "./blobs.ts";
import { eraseEvents, rowHolding } from "./erase.ts";
import type { RowTools } from "./rows.ts";
import { sealOf } from "./seal.ts";
import { END, findStream, moveEnd, reseal, type StreamRow, streamById, unknownStream } from "./stream-table.ts";
import { numberOf } from "./values.ts";

/** Removes a session: all that is its own goes, its events as far as no fork reads them; to be called within a write. */
export function removeSession(tools: RowTools, session: string): Result<void> {
  const { connection } = tools;
  const cursors = connection.sql("DELETE FROM cursor WHERE stream = ?").run(Buffer.from(session, "utf8"));
  const found = findStream(connection, session);
  if (!found.ok) return found;
  if (found.value === null) return Number(cursors.changes) > 0 ? ok(undefined) : unknownStream(session);
  const { id, token } = found.value;
  for (const table of OWN_TABLES) connection.sql(table).run(id);
  dropAllBlobs(connection, id);
  if (token > 0) {
    const nameHash = digestOf("sha256", session, "buffer");
    connection
      .sql("INSERT INTO fence (name_hash, token, seal) VALUES (?, ?, ?)")
      .run(nameHash, token, sealOf(nameHash.toString("hex"), token));
  }
  reseal(connection, { ...found.value, removed: true });
  return collect(tools, id);
}

const OWN_TABLES = [
  "DELETE FROM lease WHERE stream = ?",
  "DELETE FROM command WHERE stream = ?",
  "DELETE FROM scratch WHERE stream = ?",
  "DELETE FROM wake WHERE stream = ?",
  "DELETE FROM snapshot WHERE stream = ?",
] as const;

/** Drops what no fork reads any more of a removed stream, and then of the one it was itself forked from. */
function collect(tools: RowTools, id: number): Result<void> {
  const { connection } = tools;
  let next: number | null = id;
  while (next !== null) {
    const found = streamById(connection, next);
    if (!found.ok) return found;
    const stream: StreamRow = found.value;
    if (!stream.removed) return ok(undefined);
    const row = connection.sql("SELECT max(base_seq) AS seq FROM stream WHERE base = ?").get(stream.id);
    const needed = row?.seq === null || row === undefined ? stream.baseSeq : numberOf(row, "seq");
    deleteRows(tools, stream, needed);
    if (needed > stream.baseSeq) return trim(tools, stream, needed);
    connection.sql("DELETE FROM envelope WHERE stream = ?").run(stream.id);
    connection.sql("DELETE FROM stream WHERE id = ?").run(stream.id);
    next = stream.base;
  }
  return ok(undefined);
}

function deleteRows({ connection }: RowTools, { id }: StreamRow, needed: number): void {
  const rows = connection
    .sql("SELECT row, pieces FROM envelope WHERE stream = ? AND first > ? AND first < ?")
    .all(id, needed, END);
  const remove = connection.sql("DELETE FROM payload WHERE row >= ? AND row < ?");
  for (const row of rows) remove.run(numberOf(row, "row"), numberOf(row, "row") + numberOf(row, "pieces"));
  connection.sql("DELETE FROM envelope WHERE stream = ? AND first > ? AND first < ?").run(id, needed, END);
}

/** The last row that is left may hold events behind the last one needed: nobody can read them, so they go as well. */
function trim(tools: RowTools, stream: StreamRow, needed: number): Result<void> {
  const row = rowHolding(tools, stream, needed);
  if (!row.ok) return row;
  const { first, heads, hash, row: number } = row.value;
  const behind = heads.map((_, index) => first + index).filter((seq) => seq > needed);
  if (behind.length > 0) eraseEvents(tools.connection, stream.id, row.value, new Set(behind));
  moveEnd(tools.connection, stream.id, {
    seq: first + heads.length - 1,
    hash,
    row: number,
    updatedAt: stream.updatedAt,
  });
  return ok(undefined);
}
