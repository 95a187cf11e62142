import { GENESIS_HASH } from "../../core/session/chain.ts";
import type { Finding } from "../../core/session/store.ts";
import { decodeHeads } from "./head-codec.ts";
import { expectedHash, parseRow, ROW_COLUMNS, type RowTools, type StoredRow } from "./rows.ts";
import { type StreamRow, streamById } from "./stream-table.ts";
import { bytesOf, numberOf } from "./values.ts";

/** A place between two rows of a stream: what the next one must continue. */
export interface Link {
  /** Seq of the event that must come next. */
  readonly next: number;
  /** Hex of the hash before it. */
  readonly hash: string;
}

/** A part of a lineage: the events of one stream up to `to`. */
export interface Segment {
  readonly stream: StreamRow;
  readonly to: number;
}

/** What was found wrong while walking over a stream. */
export type Damage = Omit<Finding, "kind">;

/** Something of the walk, or what is wrong. */
export type Walked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly damage: Damage };

/** Rows fetched at once. */
const BATCH = 256;

/** The streams a stream reads through, its oldest ancestor first. */
export function lineageOf(tools: RowTools, stream: StreamRow, to: number): Walked<readonly Segment[]> {
  const segments: Segment[] = [{ stream, to }];
  let current = stream;
  while (current.base !== null) {
    const found = streamById(tools.connection, current.base);
    // A base is always older than what was forked from it; anything else would go round for ever.
    if (!found.ok || found.value.id >= current.id) {
      const message = `What ${JSON.stringify(current.name)} was forked from is missing or was changed.`;
      return { ok: false, damage: { message, stream: stream.name, from: 1, to: current.baseSeq } };
    }
    segments.unshift({ stream: found.value, to: current.baseSeq });
    current = found.value;
  }
  return { ok: true, value: segments };
}

/**
 * Walks over the rows of one segment that hold the events from `from` on, oldest first, and checks each: that it continues
 * the one before, that its events digest to what its hash says. `visit` returns false to stop. Gives the link behind the
 * last row that was visited. The end of the stream is the caller's to check.
 */
export function walkSegment(
  tools: RowTools,
  { stream, to }: Segment,
  from: number,
  visit: (row: StoredRow) => boolean,
): Walked<Link> {
  const { connection, kinds } = tools;
  const start = linkBefore(tools, stream, from);
  if (!start.ok) return start;
  let link = start.value;
  for (;;) {
    const batch = connection
      .sql(
        `SELECT ${ROW_COLUMNS} FROM envelope e LEFT JOIN payload p ON p.row = e.row
         WHERE e.stream = ? AND e.first >= ? AND e.first <= ? ORDER BY e.first LIMIT ${BATCH}`,
      )
      .all(stream.id, link.next, to);
    for (const raw of batch) {
      const row = parseRow(kinds, stream.id, raw);
      const fault = typeof row === "string" ? row : faultOfRow(stream, link, row);
      if (fault !== null || typeof row === "string") return broken(stream, numberOf(raw, "first"), numberOf(raw, "row"), link, fault ?? "");
      link = { next: row.first + row.heads.length, hash: row.hash };
      if (!visit(row)) return { ok: true, value: link };
    }
    if (batch.length < BATCH) return { ok: true, value: link };
  }
}

function faultOfRow(stream: StreamRow, link: Link, row: StoredRow): string | null {
  if (row.first !== link.next) return `events ${link.next} to ${row.first - 1} before it are missing`;
  return expectedHash(stream.name, link.hash, row) === row.hash ? null : "its bytes are not those that were appended";
}

function broken(stream: StreamRow, first: number, row: number, link: Link, fault: string): Walked<never> {
  const from = Math.min(first, link.next);
  const message = `The append of ${JSON.stringify(stream.name)} that begins with event ${first} is damaged: ${fault}.`;
  return { ok: false, damage: { message, stream: stream.name, from, to: first, place: { stream: stream.name, seq: first, row } } };
}

/** The link before the row that holds `from`, or the end of the stream where there is no such row. */
function linkBefore(tools: RowTools, stream: StreamRow, from: number): Walked<Link> {
  if (from <= stream.baseSeq + 1) return linkAtBase(tools, stream);
  const [holding, before] = tools.connection
    .sql("SELECT first, heads, hash, row FROM envelope WHERE stream = ? AND first <= ? ORDER BY first DESC LIMIT 2")
    .all(stream.id, from);
  if (holding === undefined) return linkAtBase(tools, stream);
  // Nothing holds `from` when the stream ends before it: then the row found is the last and is walked over as well.
  if (before === undefined) return linkAtBase(tools, stream);
  const first = numberOf(before, "first");
  const heads = decodeHeads(bytesOf(before, "heads"));
  if (heads === null) return broken(stream, first, numberOf(before, "row"), { next: first, hash: "" }, "its envelope cannot be read");
  return { ok: true, value: { next: first + heads.length, hash: bytesOf(before, "hash").toString("hex") } };
}

/** Where a stream begins: at nothing, or behind the row of its base that holds the last shared event. */
function linkAtBase(tools: RowTools, stream: StreamRow): Walked<Link> {
  if (stream.base === null) return { ok: true, value: { next: 1, hash: GENESIS_HASH } };
  const row = tools.connection
    .sql("SELECT hash FROM envelope WHERE stream = ? AND first <= ? ORDER BY first DESC LIMIT 1")
    .get(stream.base, stream.baseSeq);
  if (row === undefined) {
    const message = `The event ${stream.baseSeq} that ${JSON.stringify(stream.name)} was forked at is missing.`;
    return { ok: false, damage: { message, stream: stream.name, from: 1, to: stream.baseSeq } };
  }
  return { ok: true, value: { next: stream.baseSeq + 1, hash: bytesOf(row, "hash").toString("hex") } };
}

/** What is wrong with the end of a stream; null when its last row is what the stream's own row says. */
export function faultOfEnd(stream: StreamRow, end: Link): Damage | null {
  if (end.next - 1 === stream.seq && end.hash === stream.hash) return null;
  const known = end.next - 1;
  const message =
    known < stream.seq
      ? `Events ${known + 1} to ${stream.seq} of ${JSON.stringify(stream.name)} are missing.`
      : `The end of ${JSON.stringify(stream.name)} is not where its last append is.`;
  return { message, stream: stream.name, from: Math.min(known, stream.seq) + 1, to: Math.max(known, stream.seq), place: { stream: stream.name, table: "stream", id: stream.id } };
}
