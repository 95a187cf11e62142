/**
 * The hash chain of a stream, one link per append:
 *
 * - digest of an event = SHA-256(salt ‖ data bytes), salt = 16 random bytes kept beside the data, so that erasing both leaves nothing to guess from;
 * - digest of a row    = SHA-256(concatenated event digests);
 * - hash of a row      = SHA-256(previous hash ‖ UTF-8 of canonical envelope ‖ row digest), where the envelope is the JSON array
 *   `[stream, firstSeq, [[type, version, at], …]]`.
 *
 * The first row of a stream continues 32 zero bytes; the first row of a fork continues the hash of the parent's row that holds the fork's seq.
 */
import { hash } from "node:crypto";

/** Number of random bytes kept beside each event's data. */
export const SALT_BYTES = 16;

const HASH_BYTES = 32;

/** The hash before the first row: 64 zeros in hex. */
export const GENESIS_HASH = "0".repeat(64);

/** The envelope of one event, as the chain sees it. */
export interface ChainEnvelope {
  readonly type: string;
  readonly version: number;
  readonly at: number;
}

/** Hex digest of one event's data under its salt. */
export function eventDigest(salt: Uint8Array, data: string): string {
  return saltedDigest(Buffer.concat([salt, Buffer.from(data, "utf8")]));
}

/** The same for a store that keeps salt and UTF-8 data as neighbours: no copy. */
export function saltedDigest(saltAndData: Uint8Array): string {
  return hash("sha256", saltAndData, "hex");
}

/** Hex digest of a row from the hex digests of its events. */
export function rowDigest(eventDigests: readonly string[]): string {
  return hash("sha256", Buffer.from(eventDigests.join(""), "hex"), "hex");
}

/** Hex hash of a row. */
export function rowHash(
  previous: string,
  stream: string,
  firstSeq: number,
  envelopes: readonly ChainEnvelope[],
  digestOfRow: string,
): string {
  const heads = envelopes.map((envelope) => [envelope.type, envelope.version, envelope.at]);
  const envelope = JSON.stringify([stream, firstSeq, heads]);
  // One buffer for the three parts: this is on the path of every append.
  const bytes = Buffer.allocUnsafe(2 * HASH_BYTES + Buffer.byteLength(envelope, "utf8"));
  bytes.write(previous, 0, "hex");
  const end = HASH_BYTES + bytes.write(envelope, HASH_BYTES, "utf8");
  bytes.write(digestOfRow, end, "hex");
  return hash("sha256", bytes, "hex");
}
