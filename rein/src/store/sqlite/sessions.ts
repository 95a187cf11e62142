import { ok, type Result } from "../../core/errors.ts";
import type { Head, SessionInfo } from "../../core/session/index.ts";
import type { Connection } from "./connection.ts";
import { countInbox } from "./inbox.ts";
import { leaseInForce } from "./leases.ts";
import { findStream, type StreamRow, usedSessions } from "./stream-table.ts";

/** Sessions that hold an event, newest use first. */
export function listSessions(connection: Connection, limit: number): Result<readonly SessionInfo[]> {
  const streams = usedSessions(connection, Number.isFinite(limit) ? Math.max(Math.trunc(limit), 0) : -1);
  return streams.ok ? ok(streams.value.map((stream) => infoOf(connection, stream))) : streams;
}

/** What is known of a session; null when it holds no event. */
export function sessionInfo(connection: Connection, session: string): Result<SessionInfo | null> {
  const stream = findStream(connection, session);
  if (!stream.ok) return stream;
  return ok(stream.value === null || stream.value.seq === 0 ? null : infoOf(connection, stream.value));
}

/** The newest place of a stream; null when it holds no event. */
export function headOf(connection: Connection, name: string): Result<Head | null> {
  const stream = findStream(connection, name);
  if (!stream.ok) return stream;
  if (stream.value === null || stream.value.seq === 0) return ok(null);
  return ok({ seq: stream.value.seq, hash: stream.value.hash });
}

function infoOf(connection: Connection, stream: StreamRow): SessionInfo {
  const { id, name, seq, hash, createdAt, updatedAt, forkedFrom, baseSeq } = stream;
  const lease = leaseInForce(connection, id, name);
  return {
    session: name,
    head: { seq, hash },
    createdAt,
    updatedAt,
    ...(forkedFrom === null ? {} : { forkedFrom: { session: forkedFrom, seq: baseSeq } }),
    ...(lease === null ? {} : { lease }),
    inboxCount: countInbox(connection, id),
  };
}
