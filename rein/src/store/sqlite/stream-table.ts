import { hash } from "node:crypto";
import { fail, ok, type Result } from "../../core/errors.ts";
import { GENESIS_HASH } from "../../core/session/index.ts";
import type { Connection } from "./connection.ts";
import { damage } from "./faults.ts";
import { VarintReader, writeVarint } from "./head-codec.ts";
import { sealOf } from "./seal.ts";
import { bytesOf, numberOf, OddValue, type Row, textOf } from "./values.ts";

/** A row of the table `stream`. */
export interface StreamRow {
  readonly id: number;
  readonly name: string;
  readonly seq: number;
  /** Hex. */
  readonly hash: string;
  /** The stream that holds the events up to `baseSeq`; null where there is none. */
  readonly base: number | null;
  readonly baseSeq: number;
  readonly forkedFrom: string | null;
  readonly removed: boolean;
  readonly token: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/**
 * The `first` of the row behind the last append of a stream: greater than any seq. In that row `pieces` is the seq of the
 * last event, `heads` the time of the last use, `row` its number, `hash` the chain's hash.
 */
export const END = Number.MAX_SAFE_INTEGER;

const SELECT = `SELECT s.id, s.name, s.base, s.base_seq, s.forked_from, s.removed, s.token, s.created_at, s.seal,
  e.pieces AS seq, e.heads AS updated_at, lower(hex(e.hash)) AS hash
  FROM stream s LEFT JOIN envelope e ON e.stream = s.id AND e.first = ${END}`;

// Texts of statements stand here, whole, so that looking up the prepared one costs no building of strings.
const SQL = {
  byName: `${SELECT} WHERE s.name = ? AND s.removed = 0`,
  byId: `${SELECT} WHERE s.id = ?`,
  forks: `${SELECT} WHERE s.base = ? AND s.base_seq >= ?`,
  used: `${SELECT} WHERE s.removed = 0 AND substr(s.name, 1, 7) <> 'ledger:' AND ifnull(e.row, 1) > 0 ORDER BY e.row DESC LIMIT ?`,
  moveEnd: `UPDATE envelope SET row = ?, pieces = ?, heads = ?, hash = ? WHERE stream = ? AND first = ${END}`,
  addEnd: `INSERT INTO envelope (stream, first, row, pieces, heads, hash) VALUES (?, ${END}, ?, ?, ?, ?)`,
};

/** The living stream of that name; null when there is none. Its seal is checked. */
export function findStream(connection: Connection, name: string): Result<StreamRow | null> {
  const row = connection.sql(SQL.byName).get(name);
  return row === undefined ? ok(null) : streamOf(connection, row);
}

/** The living stream of that name, or `session_unknown`. */
export function needStream(connection: Connection, name: string): Result<StreamRow> {
  const found = findStream(connection, name);
  if (!found.ok) return found;
  if (found.value !== null) return ok(found.value);
  return unknownStream(name);
}

/** The error for a stream that is not there. */
export function unknownStream(name: string): ReturnType<typeof fail> {
  return fail(
    "session_unknown",
    `There is no session or ledger ${JSON.stringify(name)}.`,
    "`rein sessions` lists the sessions there are.",
  );
}

/** A stream by its number, living or removed; null when there is none. */
export function findStreamById(connection: Connection, id: number): Result<StreamRow | null> {
  const row = connection.sql(SQL.byId).get(id);
  return row === undefined ? ok(null) : streamOf(connection, row);
}

/** A stream that another one refers to. */
export function streamById(connection: Connection, id: number): Result<StreamRow> {
  const found = findStreamById(connection, id);
  if (!found.ok) return found;
  if (found.value !== null) return ok(found.value);
  return {
    ok: false,
    error: damage(connection.file, `The stream number ${id} is missing, though others refer to it.`, {
      place: { table: "stream", id },
    }),
  };
}

/** The streams that were forked from one at an event or behind it. */
export function forksOf(connection: Connection, id: number, seq: number): Result<readonly StreamRow[]> {
  return allOf(connection, connection.sql(SQL.forks).all(id, seq));
}

/** The living sessions that hold an event, newest use first. */
export function usedSessions(connection: Connection, limit: number): Result<readonly StreamRow[]> {
  return allOf(connection, connection.sql(SQL.used).all(limit));
}

function allOf(connection: Connection, rows: readonly Row[]): Result<readonly StreamRow[]> {
  const streams: StreamRow[] = [];
  for (const row of rows) {
    const stream = streamOf(connection, row);
    if (!stream.ok) return stream;
    streams.push(stream.value);
  }
  return ok(streams);
}

function streamOf(connection: Connection, row: Row): Result<StreamRow> {
  const base = row.base;
  const forkedFrom = row.forked_from;
  if (base !== null && typeof base !== "number") throw new OddValue("base", base);
  if (forkedFrom !== null && typeof forkedFrom !== "string") throw new OddValue("forked_from", forkedFrom);
  const id = numberOf(row, "id");
  const name = textOf(row, "name");
  if (row.seq === null) {
    const place = { table: "envelope", id, stream: name };
    return {
      ok: false,
      error: damage(connection.file, `The end of the stream ${JSON.stringify(name)} is missing.`, { place }),
    };
  }
  const stream: StreamRow = {
    id,
    name,
    seq: numberOf(row, "seq"),
    hash: textOf(row, "hash"),
    base,
    baseSeq: numberOf(row, "base_seq"),
    forkedFrom,
    removed: numberOf(row, "removed") !== 0,
    token: numberOf(row, "token"),
    createdAt: numberOf(row, "created_at"),
    updatedAt: decodeTime(bytesOf(row, "updated_at")),
  };
  if (sealOfStream(stream).equals(bytesOf(row, "seal"))) return ok(stream);
  const message = `What the store notes of the stream ${JSON.stringify(name)} was changed.`;
  return { ok: false, error: damage(connection.file, message, { place: { table: "stream", id, stream: name } }) };
}

/** Where a stream ends, as the row behind its last append says. */
export interface StreamEnd {
  readonly seq: number;
  /** Hex. */
  readonly hash: string;
  /** Number of the change that last used the stream; 0 as long as it holds no event. */
  readonly row: number;
  readonly updatedAt: number;
}

/** Moves the end of a stream. */
export function moveEnd(connection: Connection, id: number, { seq, hash, row, updatedAt }: StreamEnd): void {
  connection.sql(SQL.moveEnd).run(row, seq, encodeTime(updatedAt), Buffer.from(hash, "hex"), id);
}

/** A time as the row behind the last append keeps it. */
export function encodeTime(time: number): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  return bytes.subarray(0, writeVarint(bytes, 0, Math.max(time, 0)));
}

function decodeTime(bytes: Uint8Array): number {
  const reader = new VarintReader(bytes, 0);
  const time = reader.next();
  if (reader.failed || reader.offset !== bytes.length) throw new OddValue("heads", bytes);
  return time;
}

/** What a new stream begins with. */
export interface NewStream {
  readonly name: string;
  readonly seq: number;
  /** Hex. */
  readonly hash: string;
  readonly base: number | null;
  readonly baseSeq: number;
  readonly forkedFrom: string | null;
}

/** Adds a stream, used by the change of that number; a name that was removed before goes on with its fencing tokens. */
export function addStream(connection: Connection, from: NewStream, row: number): StreamRow {
  const now = Math.round(connection.now());
  const nameHash = hash("sha256", from.name, "buffer");
  const fence = connection.sql("DELETE FROM fence WHERE name_hash = ? RETURNING token").get(nameHash);
  const token = fence === undefined ? 0 : numberOf(fence, "token");
  const last = connection.sql("SELECT ifnull(max(id), 0) AS id FROM stream").get();
  const id = (last === undefined ? 0 : numberOf(last, "id")) + 1;
  const stream: StreamRow = { ...from, id, removed: false, token, createdAt: now, updatedAt: now };
  connection
    .sql(
      `INSERT INTO stream (id, name, base, base_seq, forked_from, removed, token, created_at, seal)
       VALUES (?, ?, ?, ?, ?, 0, ?, ?, ?)`,
    )
    .run(id, stream.name, stream.base, stream.baseSeq, stream.forkedFrom, token, now, sealOfStream(stream));
  connection.sql(SQL.addEnd).run(id, row, stream.seq, encodeTime(now), Buffer.from(stream.hash, "hex"));
  return stream;
}

/** Turns a stream that nothing was appended to yet into a fork and gives its number. */
export function rebase(connection: Connection, stream: StreamRow, from: NewStream, row: number): number {
  const now = Math.round(connection.now());
  const seal = sealOfStream({ ...stream, ...from, createdAt: now });
  connection
    .sql("UPDATE stream SET base = ?, base_seq = ?, forked_from = ?, created_at = ?, seal = ? WHERE id = ?")
    .run(from.base, from.baseSeq, from.forkedFrom, now, seal, stream.id);
  moveEnd(connection, stream.id, { seq: from.seq, hash: from.hash, row, updatedAt: now });
  return stream.id;
}

/** A stream that nothing was appended to yet. */
export function emptyStream(name: string): NewStream {
  return { name, seq: 0, hash: GENESIS_HASH, base: null, baseSeq: 0, forkedFrom: null };
}

/** The number of a stream, which is added, empty, when there is none of that name. */
export function streamIdOf(connection: Connection, name: string): number {
  const row = connection.sql("SELECT id FROM stream WHERE name = ? AND removed = 0").get(name);
  if (row !== undefined) return numberOf(row, "id");
  return addStream(connection, emptyStream(name), 0).id;
}

/** Writes what is sealed again after a change of it. */
export function reseal(connection: Connection, stream: StreamRow): void {
  connection
    .sql("UPDATE stream SET removed = ?, token = ?, seal = ? WHERE id = ?")
    .run(stream.removed ? 1 : 0, stream.token, sealOfStream(stream), stream.id);
}

function sealOfStream(stream: StreamRow): Buffer {
  const { id, name, base, baseSeq, forkedFrom, removed, token, createdAt } = stream;
  return sealOf(id, name, base, baseSeq, forkedFrom, removed ? 1 : 0, token, createdAt);
}
