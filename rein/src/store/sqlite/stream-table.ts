import { hash } from "node:crypto";
import { fail, ok, type Result } from "../../core/errors.ts";
import { GENESIS_HASH } from "../../core/session/chain.ts";
import type { Connection } from "./connection.ts";
import { damage } from "./faults.ts";
import { sealOf } from "./schema.ts";
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

const COLUMNS = "id, name, seq, hash, base, base_seq, forked_from, removed, token, created_at, updated_at, seal";

/** The living stream of that name; null when there is none. Its seal is checked. */
export function findStream(connection: Connection, name: string): Result<StreamRow | null> {
  const row = connection.sql(`SELECT ${COLUMNS} FROM stream WHERE name = ? AND removed = 0`).get(name);
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
  return fail("session_unknown", `There is no session or ledger ${JSON.stringify(name)}.`, "`rein log` lists the sessions there are.");
}

/** A stream by its number, living or removed. */
export function streamById(connection: Connection, id: number): Result<StreamRow> {
  const row = connection.sql(`SELECT ${COLUMNS} FROM stream WHERE id = ?`).get(id);
  if (row !== undefined) return streamOf(connection, row);
  return { ok: false, error: damage(connection.file, `The stream number ${id} is missing, though others refer to it.`, { place: { table: "stream", id } }) };
}

/** Reads and checks a row of the table. */
export function streamOf(connection: Connection, row: Row): Result<StreamRow> {
  const base = row["base"];
  const forkedFrom = row["forked_from"];
  if (base !== null && typeof base !== "number") throw new OddValue("base", base);
  if (forkedFrom !== null && typeof forkedFrom !== "string") throw new OddValue("forked_from", forkedFrom);
  const stream: StreamRow = {
    id: numberOf(row, "id"),
    name: textOf(row, "name"),
    seq: numberOf(row, "seq"),
    hash: bytesOf(row, "hash").toString("hex"),
    base,
    baseSeq: numberOf(row, "base_seq"),
    forkedFrom,
    removed: numberOf(row, "removed") !== 0,
    token: numberOf(row, "token"),
    createdAt: numberOf(row, "created_at"),
    updatedAt: numberOf(row, "updated_at"),
  };
  if (sealOfStream(stream).equals(bytesOf(row, "seal"))) return ok(stream);
  const message = `What the store notes of the stream ${JSON.stringify(stream.name)} was changed.`;
  return { ok: false, error: damage(connection.file, message, { place: { table: "stream", id: stream.id, stream: stream.name } }) };
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

/** Adds a stream; a name that was removed before goes on with its fencing tokens. */
export function addStream(connection: Connection, from: NewStream, usedRow: number): StreamRow {
  const now = Math.round(connection.now());
  const nameHash = hash("sha256", from.name, "buffer");
  const fence = connection.sql("DELETE FROM fence WHERE name_hash = ? RETURNING token").get(nameHash);
  const token = fence === undefined ? 0 : numberOf(fence, "token");
  const last = connection.sql("SELECT ifnull(max(id), 0) AS id FROM stream").get();
  const id = (last === undefined ? 0 : numberOf(last, "id")) + 1;
  const stream: StreamRow = { ...from, id, removed: false, token, createdAt: now, updatedAt: now };
  connection
    .sql(
      `INSERT INTO stream (${COLUMNS}, used_row) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      id,
      stream.name,
      stream.seq,
      Buffer.from(stream.hash, "hex"),
      stream.base,
      stream.baseSeq,
      stream.forkedFrom,
      0,
      token,
      now,
      now,
      sealOfStream(stream),
      usedRow,
    );
  return stream;
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
  return sealOf([id, name, base, baseSeq, forkedFrom, removed ? 1 : 0, token, createdAt]);
}
