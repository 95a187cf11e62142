import { type Finding, GENESIS_HASH } from "../../core/session/index.ts";
import { decodeHeads } from "./head-codec.ts";
import { expectedHash, fetchRows, parseRow, type RowTools, type StoredRow } from "./rows.ts";
import { END, type StreamRow, streamById } from "./stream-table.ts";
import { bytesOf, numberOf, textOf } from "./values.ts";

/** A place between two rows of a stream: what the next one must continue. */
export interface Link {
  /** Seq of the event that must come next; -1 where that cannot be told. */
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

/** Behind a row whose length cannot be told, the next may begin anywhere. */
const ANY = -1;

/** Rows fetched at once. */
const BATCH = 256;

/** The streams a stream reads through, its oldest ancestor first. */
export function lineageOf(tools: RowTools, stream: StreamRow, to: number): Walked<readonly Segment[]> {
  const segments: Segment[] = [{ stream, to }];
  let current = stream;
  while (current.base !== null) {
    const found = streamById(tools.connection, current.base);
    // Each base ends before what was forked from it; a damaged one that does not would lead round for ever.
    if (!found.ok || found.value.baseSeq >= current.baseSeq) {
      const message = `What ${JSON.stringify(current.name)} was forked from is missing or was changed.`;
      return { ok: false, damage: { message, stream: stream.name, from: 1, to: current.baseSeq } };
    }
    segments.unshift({ stream: found.value, to: current.baseSeq });
    current = found.value;
  }
  return { ok: true, value: segments };
}

/**
 * Walks over the rows of one segment that hold the events from `from` on, oldest first. Gives the link behind the last row
 * that was visited. The end of the stream is the caller's to check.
 */
export function walkSegment(
  tools: RowTools,
  segment: Segment,
  from: number,
  visit: (row: StoredRow) => boolean,
): Walked<Link> {
  const start = linkBefore(tools, segment.stream, from);
  return start.ok ? walkFrom(tools, segment, start.value, visit) : start;
}

/**
 * Walks on from a link and checks each row: that it continues the one before, and that its events digest to what its hash
 * says. `visit` returns false to stop. The first damage ends the walk, unless `onDamage` takes it: then it goes on behind it.
 */
export function walkFrom(
  tools: RowTools,
  { stream, to }: Segment,
  start: Link,
  visit: (row: StoredRow) => boolean,
  onDamage?: (damage: Damage) => void,
): Walked<Link> {
  let link = start;
  let after = start.next - 1;
  for (;;) {
    const batch = fetchRows(tools.connection, stream.id, after, to, BATCH);
    for (const raw of batch) {
      after = numberOf(raw, "first");
      const row = parseRow(tools, stream.id, raw);
      const fault = typeof row === "string" ? row : faultOfRow(stream, link, row);
      if (fault !== null) {
        const last = typeof row === "string" ? lastOfRow(tools, stream, after) : row.first + row.heads.length - 1;
        const damage = damageOf(stream, after, last, numberOf(raw, "row"), link, fault);
        if (onDamage === undefined) return { ok: false, damage };
        onDamage(damage);
      }
      link = {
        next: typeof row === "string" ? ANY : row.first + row.heads.length,
        hash: textOf(raw, "hash"),
      };
      if (typeof row !== "string" && !visit(row)) return { ok: true, value: link };
    }
    if (batch.length < BATCH) return { ok: true, value: link };
  }
}

function faultOfRow(stream: StreamRow, link: Link, row: StoredRow): string | null {
  if (row.first !== link.next && link.next !== ANY)
    return `events ${link.next} to ${row.first - 1} before it are missing`;
  return expectedHash(stream.name, link.hash, row) === row.hash ? null : "its bytes are not those that were appended";
}

/** The last event of a row that cannot be read: the one before the next row. */
function lastOfRow({ connection }: RowTools, { id, seq }: StreamRow, first: number): number {
  const next = connection
    .sql("SELECT first FROM envelope WHERE stream = ? AND first > ? AND first < ? ORDER BY first LIMIT 1")
    .get(id, first, END);
  return next === undefined ? Math.max(seq, first) : numberOf(next, "first") - 1;
}

function damageOf(stream: StreamRow, first: number, last: number, row: number, link: Link, fault: string): Damage {
  const from = link.next === ANY ? first : Math.min(first, link.next);
  const message = `The append of ${JSON.stringify(stream.name)} that begins with event ${first} is damaged: ${fault}.`;
  return { message, stream: stream.name, from, to: last, place: { stream: stream.name, seq: first, row } };
}

/** The link before the row that holds `from`; before the last row where the stream ends before `from`. */
export function linkBefore(tools: RowTools, stream: StreamRow, from: number): Walked<Link> {
  if (from <= stream.baseSeq + 1) return linkAtBase(tools, stream);
  const [holding, before] = tools.connection
    .sql(
      "SELECT first, heads, lower(hex(hash)) AS hash, row FROM envelope WHERE stream = ? AND first <= ? ORDER BY first DESC LIMIT 2",
    )
    .all(stream.id, Math.min(from, END - 1));
  if (holding === undefined || before === undefined) return linkAtBase(tools, stream);
  const heads = decodeHeads(bytesOf(before, "heads"));
  // Where the one before cannot be read, the hash of the row that holds `from` tells that it follows on it.
  const next = heads === null ? numberOf(holding, "first") : numberOf(before, "first") + heads.length;
  return { ok: true, value: { next, hash: textOf(before, "hash") } };
}

/** Where a stream of its own begins: at nothing, or behind the row of its base that holds the last shared event. */
export function linkAtBase(tools: RowTools, stream: StreamRow): Walked<Link> {
  if (stream.base === null) return { ok: true, value: { next: 1, hash: GENESIS_HASH } };
  const row = tools.connection
    .sql("SELECT lower(hex(hash)) AS hash FROM envelope WHERE stream = ? AND first <= ? ORDER BY first DESC LIMIT 1")
    .get(stream.base, stream.baseSeq);
  if (row === undefined) {
    const message = `The event ${stream.baseSeq} that ${JSON.stringify(stream.name)} was forked at is missing.`;
    return { ok: false, damage: { message, stream: stream.name, from: 1, to: stream.baseSeq } };
  }
  return { ok: true, value: { next: stream.baseSeq + 1, hash: textOf(row, "hash") } };
}

/** What is wrong with the end of a stream; null when its last row is what the stream's own row says. */
export function faultOfEnd(stream: StreamRow, end: Link): Damage | null {
  if (end.next - 1 === stream.seq && end.hash === stream.hash) return null;
  const known = end.next - 1;
  const message =
    known < stream.seq
      ? `Events ${known + 1} to ${stream.seq} of ${JSON.stringify(stream.name)} are missing.`
      : `The end of ${JSON.stringify(stream.name)} is not where its last append is.`;
  return {
    message,
    stream: stream.name,
    from: Math.min(known, stream.seq) + 1,
    to: Math.max(known, stream.seq),
    place: { stream: stream.name, table: "stream", id: stream.id },
  };
}
