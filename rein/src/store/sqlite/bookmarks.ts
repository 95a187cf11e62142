import { ok, type Result } from "../../core/errors.ts";
import type { Snapshot } from "../../core/session/index.ts";
import type { Connection } from "./connection.ts";
import { checkSeal, sealOf } from "./seal.ts";
import { needStream, unknownStream } from "./stream-table.ts";
import { bytesOf, numberOf, textOf, utf8Of } from "./values.ts";

/** The seq a named reader of a stream has reached; 0 when it has none. */
export function readCursor(connection: Connection, name: string, stream: string): number {
  const row = connection
    .sql("SELECT seq, seal FROM cursor WHERE stream = ? AND name = ?")
    .get(Buffer.from(stream, "utf8"), Buffer.from(name, "utf8"));
  if (row === undefined) return 0;
  const seq = numberOf(row, "seq");
  checkSeal(row, "cursor", stream, name, seq);
  return seq;
}

/** Notes how far a reader is. */
export function writeCursor(connection: Connection, name: string, stream: string, seq: number): void {
  connection
    .sql(
      `INSERT INTO cursor (stream, name, seq, seal) VALUES (?, ?, ?, ?)
       ON CONFLICT (stream, name) DO UPDATE SET seq = excluded.seq, seal = excluded.seal`,
    )
    .run(Buffer.from(stream, "utf8"), Buffer.from(name, "utf8"), seq, sealOf(stream, name, seq));
}

/** The saved fold of a session; null when there is none, and when it is not what was saved: it is only a cache. */
export function readSnapshot(connection: Connection, session: string): Snapshot | null {
  const row = connection
    .sql(
      `SELECT n.stream, n.seq, n.hash, n.version, n.body, n.seal FROM snapshot n JOIN stream s ON s.id = n.stream
       WHERE s.name = ? AND s.removed = 0`,
    )
    .get(session);
  if (row === undefined) return null;
  const snapshot = {
    seq: numberOf(row, "seq"),
    hash: textOf(row, "hash"),
    version: textOf(row, "version"),
    body: utf8Of(row, "body"),
  };
  return sealOfSnapshot(numberOf(row, "stream"), snapshot).equals(bytesOf(row, "seal")) ? snapshot : null;
}

/** Saves a fold of a session in place of the one before. */
export function writeSnapshot(connection: Connection, session: string, snapshot: Snapshot): Result<void> {
  const { seq, hash, version, body } = snapshot;
  const stream = needStream(connection, session);
  if (!stream.ok) return stream;
  if (stream.value.seq === 0) return unknownStream(session);
  connection
    .sql(
      `INSERT INTO snapshot (stream, seq, hash, version, body, seal) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (stream) DO UPDATE SET seq = excluded.seq, hash = excluded.hash, version = excluded.version,
         body = excluded.body, seal = excluded.seal`,
    )
    .run(stream.value.id, seq, hash, version, Buffer.from(body, "utf8"), sealOfSnapshot(stream.value.id, snapshot));
  return ok(undefined);
}

function sealOfSnapshot(stream: number, { seq, hash, version, body }: Snapshot): Buffer {
  return sealOf(stream, seq, hash, version, body);
}
