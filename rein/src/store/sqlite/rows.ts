import { rowDigest, rowHash } from "../../core/session/chain.ts";
import type { EventToStore } from "../../core/session/store.ts";
import { type BodyPart, decodeBody, encodeBody } from "./body-codec.ts";
import type { Connection } from "./connection.ts";
import { decodeHeads, encodeHeads } from "./head-codec.ts";
import type { Kinds } from "./kinds.ts";
import type { Salts } from "./salts.ts";
import { bytesOf, numberOf, type Row } from "./values.ts";

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
  readonly hash: string;
  readonly heads: readonly RowHead[];
  readonly parts: readonly BodyPart[];
}

/** Writes one append, which must hold an event, as one envelope and one payload; gives the hex of its hash. */
export function writeRow({ connection, kinds, salts }: RowTools, place: RowPlace, events: readonly EventToStore[]): string {
  const { stream, name, first, row, previous } = place;
  const { body, digests } = encodeBody(events, salts);
  const hash = rowHash(previous, name, first, events, rowDigest(digests));
  const heads = encodeHeads(events.map(({ type, version, at }) => ({ kind: kinds.idOf(type), version, at })));
  connection
    .sql("INSERT INTO envelope (stream, first, row, heads, hash) VALUES (?, ?, ?, ?, ?)")
    .run(stream, first, row, heads, Buffer.from(hash, "hex"));
  connection.sql("INSERT INTO payload (row, stream, first, body) VALUES (?, ?, ?, ?)").run(row, stream, first, body);
  return hash;
}

/** The columns {@link parseRow} wants, of `envelope e LEFT JOIN payload p ON p.row = e.row`. */
export const ROW_COLUMNS = "e.first, e.row, e.heads, e.hash, p.stream AS body_stream, p.first AS body_first, p.body";

/** Takes a row apart; a text that says what is wrong with it when that cannot be done. */
export function parseRow(kinds: Kinds, stream: number, row: Row): StoredRow | string {
  const first = numberOf(row, "first");
  if (row["body"] === null) return "its payload is missing";
  if (numberOf(row, "body_stream") !== stream || numberOf(row, "body_first") !== first) return "its payload is another one's";
  const coded = decodeHeads(bytesOf(row, "heads"));
  if (coded === null || coded.length === 0) return "its envelope cannot be read";
  const heads: RowHead[] = [];
  for (const { kind, version, at } of coded) {
    const type = kinds.nameOf(kind);
    if (type === undefined) return `the type number ${kind} of an event is unknown`;
    heads.push({ type, version, at });
  }
  const parts = decodeBody(bytesOf(row, "body"), heads.length);
  if (parts === null) return "its payload cannot be read";
  return { first, row: numberOf(row, "row"), hash: bytesOf(row, "hash").toString("hex"), heads, parts };
}

/** The hash a row should have behind the hash before it. */
export function expectedHash(name: string, previous: string, { first, heads, parts }: StoredRow): string {
  return rowHash(previous, name, first, heads, rowDigest(parts.map(({ digest }) => digest)));
}
