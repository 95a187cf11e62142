import { type fail, ok, type Result } from "../../core/errors.ts";
import type { StoredEvent } from "../../core/session/index.ts";
import { damage } from "./faults.ts";
import type { RowTools, StoredRow } from "./rows.ts";
import { END, needStream, type StreamRow, unknownStream } from "./stream-table.ts";
import { type Damage, faultOfEnd, type Link, lineageOf, walkSegment } from "./walk.ts";

/** Which events are read. */
export interface Range {
  readonly from?: number;
  readonly to?: number;
  readonly limit?: number;
}

/** Reads events of a stream, through what it was forked from; to be called within a read. */
export function readEvents(tools: RowTools, name: string, range: Range): Result<readonly StoredEvent[]> {
  const found = needStream(tools.connection, name);
  if (!found.ok) return found;
  const stream = found.value;
  if (stream.seq === 0 && stream.base === null && !hasRows(tools, stream)) return unknownStream(name);
  const from = Math.max(range.from ?? 1, 1);
  const limit = range.limit ?? Number.POSITIVE_INFINITY;
  const to = Math.min(range.to ?? Number.POSITIVE_INFINITY, from - 1 + limit);
  if (to < from) return ok([]);

  const lineage = lineageOf(tools, stream, to);
  if (!lineage.ok) return damaged(tools, lineage.damage);
  const events: StoredEvent[] = [];
  for (const segment of lineage.value) {
    const own = segment.stream === stream;
    const last = Math.min(segment.to, to);
    const begin = Math.max(from, segment.stream.baseSeq + 1);
    // The stream's own part is walked even when nothing of it is asked for: its end is where events would silently be missing.
    if (!own && last < begin) continue;
    const walked = walkSegment(tools, { stream: segment.stream, to: last }, begin, (row) =>
      collect(row, from, last, events),
    );
    const fault = walked.ok ? faultOf(segment.stream, own, last, walked.value) : walked.damage;
    if (fault !== null) return damaged(tools, fault);
  }
  return ok(events);
}

/** What is wrong with where a walk up to `to` ended. */
function faultOf(stream: StreamRow, own: boolean, to: number, end: Link): Damage | null {
  if (own && to >= stream.seq) return faultOfEnd(stream, end);
  if (end.next > to) return null;
  const message = `Events ${end.next} to ${to} of ${JSON.stringify(stream.name)} are missing.`;
  return { message, stream: stream.name, from: end.next, to };
}

function collect({ first, heads, parts }: StoredRow, from: number, to: number, events: StoredEvent[]): boolean {
  heads.forEach(({ type, version, at }, index) => {
    const seq = first + index;
    if (seq >= from && seq <= to) events.push({ seq, type, version, at, data: parts[index]?.data ?? null });
  });
  return true;
}

function hasRows(tools: RowTools, stream: StreamRow): boolean {
  return (
    tools.connection.sql("SELECT 1 FROM envelope WHERE stream = ? AND first < ? LIMIT 1").get(stream.id, END) !==
    undefined
  );
}

function damaged(tools: RowTools, { message, stream, from, to, place }: Damage): ReturnType<typeof fail> {
  const where = {
    ...(stream === undefined ? {} : { stream }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
  return { ok: false, error: damage(tools.connection.file, message, { place: { ...where, ...place } }) };
}
