import { type EventToStore, rowDigest, rowHash } from "../../core/session/index.ts";
import { type BodyPart, decodeBody, encodeBody } from "./body-codec.ts";
import type { Connection } from "./connection.ts";
import { decodeHeads, encodeHeads } from "./head-codec.ts";
import type { Kinds } from "./kinds.ts";
import { pieceLengths } from "./pieces.ts";
import type { Salts } from "./salts.ts";
import { END } from "./stream-table.ts";
import { bytesOf, numberOf, type Row, textOf } from "./values.ts";

/** What writing and reading rows needs. */
export interface RowTools {
  readonly connection: Connection;
  readonly kinds: Kinds;
  readonly salts: Salts;
}

/** Where a row goes. */
export interface RowPlace {
  readonly stream: number;
  readonly name: string;
  /** Seq of its first event. */
  readonly first: number;
  /** Number of the change in the file. */
  readonly row: number;
  /** Hex of the chain's hash before it. */
  readonly previous: string;
}

/** The head of an event with its seq. */
export interface RowHead {
  readonly type: string;
  readonly version: number;
  readonly at: number;
}

/** A row as read, its own hash checked against nothing yet. */
export interface StoredRow {
  readonly first: number;
  readonly row: number;
  /** Rows of its payload. */
  readonly pieces: number;
  readonly hash: string;
  readonly heads: readonly RowHead[];
  readonly parts: readonly BodyPart[];
}

/** Writes one append, which must hold an event; gives the hex of its hash and the number of its payload's rows. */
export function writeRow(
  { connection, kinds, salts }: RowTools,
  place: RowPlace,
  events: readonly EventToStore[],
): { readonly hash: string; readonly rows: number } {
  const { stream, name, first, row, previous } = place;
  const { body, digests } = encodeBody(events, salts);
  const hash = rowHash(previous, name, first, events, rowDigest(digests));
  const heads = encodeHeads(events.map(({ type, version, at }) => ({ kind: kinds.idOf(type), version, at })));
  const rows = writeBody(connection, { stream, first, row }, body);
  connection
    .sql("INSERT INTO envelope (stream, first, row, pieces, heads, hash) VALUES (?, ?, ?, ?, ?, ?)")
    .run(stream, first, row, rows, heads, Buffer.from(hash, "hex"));
  return { hash, rows };
}

function writeBody(
  connection: Connection,
  { stream, first, row }: Pick<RowPlace, "stream" | "first" | "row">,
  body: Buffer,
): number {
  const insert = connection.sql("INSERT INTO payload (row, stream, first, body) VALUES (?, ?, ?, ?)");
  const lengths = pieceLengths(body.length);
  let start = 0;
  lengths.forEach((length, index) => {
    insert.run(row + index, stream, first, body.subarray(start, start + length));
    start += length;
  });
  return lengths.length;
}

/** The rows of a stream that begin behind one event and up to another, oldest first. */
export function fetchRows(
  connection: Connection,
  stream: number,
  after: number,
  to: number,
  limit: number,
): readonly Row[] {
  return connection.sql(SELECT_FORWARD).all(stream, after, Math.min(to, END - 1), limit);
}

/** The last row of a stream that begins with an event or before it. */
export function fetchRowBefore(connection: Connection, stream: number, seq: number): Row | undefined {
  return connection.sql(SELECT_BACKWARD).get(stream, Math.min(seq, END - 1));
}

// With the first piece of the payload, which is mostly all of it.
const SELECT = `SELECT e.first, e.row, e.pieces, e.heads, lower(hex(e.hash)) AS hash, p.body FROM envelope e
  LEFT JOIN payload p ON p.row = e.row AND p.stream = e.stream AND p.first = e.first`;
const SELECT_FORWARD = `${SELECT} WHERE e.stream = ? AND e.first > ? AND e.first <= ? ORDER BY e.first LIMIT ?`;
const SELECT_BACKWARD = `${SELECT} WHERE e.stream = ? AND e.first <= ? ORDER BY e.first DESC LIMIT 1`;

/** Takes a row apart that was fetched by one of the two above; a text that says what is wrong when that cannot be done. */
export function parseRow({ connection, kinds }: RowTools, stream: number, row: Row): StoredRow | string {
  const first = numberOf(row, "first");
  const pieces = numberOf(row, "pieces");
  if (row.body === null || pieces < 1) return "its payload is missing";
  const body = pieces === 1 ? bytesOf(row, "body") : readPieces(connection, stream, row, pieces);
  if (body === null) return "a part of its payload is missing";
  const coded = decodeHeads(bytesOf(row, "heads"));
  if (coded === null || coded.length === 0) return "its envelope cannot be read";
  const heads: RowHead[] = [];
  for (const { kind, version, at } of coded) {
    const type = kinds.nameOf(kind);
    if (type === undefined) return `the type number ${kind} of an event is unknown`;
    heads.push({ type, version, at });
  }
  const parts = decodeBody(body, heads.length);
  if (parts === null) return "its payload cannot be read";
  return { first, row: numberOf(row, "row"), pieces, hash: textOf(row, "hash"), heads, parts };
}

function readPieces(connection: Connection, stream: number, row: Row, pieces: number): Buffer | null {
  const start = numberOf(row, "row");
  const rest = connection
    .sql("SELECT body FROM payload WHERE row > ? AND row < ? AND stream = ? AND first = ? ORDER BY row")
    .all(start, start + pieces, stream, numberOf(row, "first"));
  if (rest.length !== pieces - 1) return null;
  return Buffer.concat([bytesOf(row, "body"), ...rest.map((piece) => bytesOf(piece, "body"))]);
}

/** Writes a shorter body in place of the one a row had. */
export function rewriteBody(
  connection: Connection,
  stream: number,
  { first, row, pieces }: StoredRow,
  body: Buffer,
): void {
  connection.sql("DELETE FROM payload WHERE row > ? AND row < ?").run(row, row + pieces);
  connection.sql("UPDATE payload SET body = ? WHERE row = ?").run(body, row);
  connection.sql("UPDATE envelope SET pieces = 1 WHERE stream = ? AND first = ?").run(stream, first);
}

/** The hash a row should have behind the hash before it. */
export function expectedHash(name: string, previous: string, { first, heads, parts }: StoredRow): string {
  return rowHash(previous, name, first, heads, rowDigest(parts.map(({ digest }) => digest)));
}
