import { hash as digestOf } from "node:crypto";
import { ok, type Result } from "../../core/errors.ts";
import type { Connection } from "./connection.ts";
import { damage } from "./faults.ts";
import { checkSeal, sealOf } from "./seal.ts";
import { bytesOf, numberOf } from "./values.ts";

/** Keeps a blob for a stream; the hash was checked before. */
export function addBlob(connection: Connection, stream: number, hash: string, bytes: Uint8Array): void {
  const key = Buffer.from(hash, "hex");
  const known = connection.sql("SELECT id FROM blob WHERE hash = ?").get(key);
  const row = known ?? connection.sql("INSERT INTO blob (hash, bytes) VALUES (?, ?) RETURNING id").get(key, bytes);
  if (row !== undefined) keep(connection, stream, numberOf(row, "id"));
}

function keep(connection: Connection, stream: number, blob: number): void {
  connection
    .sql("INSERT OR IGNORE INTO blob_ref (blob, stream, seal) VALUES (?, ?, ?)")
    .run(blob, stream, sealOf(blob, stream));
}

/** The bytes of a blob, checked against their hash; null when there is none. */
export function readBlob(connection: Connection, hash: string): Result<Uint8Array | null> {
  const row = connection.sql("SELECT id, bytes FROM blob WHERE hash = ?").get(Buffer.from(hash, "hex"));
  if (row === undefined) return ok(null);
  const bytes = bytesOf(row, "bytes");
  if (digestOf("sha256", bytes, "hex") === hash)
    return ok(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const message = `The bytes of the blob ${hash} were changed.`;
  return {
    ok: false,
    error: damage(connection.file, message, { place: { table: "blob", id: numberOf(row, "id"), blob: hash } }),
  };
}

/** Hashes of the blobs a session keeps, sorted. */
export function listBlobs(connection: Connection, session: string): readonly string[] {
  return connection
    .sql(
      `SELECT b.hash, r.blob, r.stream, r.seal FROM blob b JOIN blob_ref r ON r.blob = b.id JOIN stream s ON s.id = r.stream
       WHERE s.name = ? AND s.removed = 0 ORDER BY b.hash`,
    )
    .all(session)
    .map((row) => {
      checkSeal(row, "blob_ref", numberOf(row, "blob"), numberOf(row, "stream"));
      return bytesOf(row, "hash").toString("hex");
    });
}

/** A fork keeps what its parent keeps. */
export function shareBlobs(connection: Connection, parent: number, child: number): void {
  const kept = connection.sql("SELECT blob FROM blob_ref WHERE stream = ?").all(parent);
  for (const row of kept) keep(connection, child, numberOf(row, "blob"));
}

/** A stream no longer keeps a blob; the bytes go with the last that does. */
export function dropBlob(connection: Connection, stream: number, hash: string): void {
  const row = connection.sql("SELECT id FROM blob WHERE hash = ?").get(Buffer.from(hash, "hex"));
  if (row === undefined) return;
  const id = numberOf(row, "id");
  connection.sql("DELETE FROM blob_ref WHERE stream = ? AND blob = ?").run(stream, id);
  collect(connection, id);
}

/** A stream no longer keeps any blob. */
export function dropAllBlobs(connection: Connection, stream: number): void {
  const kept = connection.sql("SELECT blob FROM blob_ref WHERE stream = ?").all(stream);
  connection.sql("DELETE FROM blob_ref WHERE stream = ?").run(stream);
  for (const row of kept) collect(connection, numberOf(row, "blob"));
}

function collect(connection: Connection, id: number): void {
  connection.sql("DELETE FROM blob WHERE id = ? AND NOT EXISTS (SELECT 1 FROM blob_ref WHERE blob = ?)").run(id, id);
}
