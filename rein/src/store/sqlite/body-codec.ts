/**
 * The data of an append's events as one blob: for each event a varint `2 × bytes of data + erased`, then the salt and the
 * data (UTF-8), or, where it was erased, the digest that both had.
 */
import { SALT_BYTES, saltedDigest } from "../../core/session/index.ts";
import { VarintReader, writeVarint } from "./head-codec.ts";
import type { Salts } from "./salts.ts";

const DIGEST_BYTES = 32;
const LONGEST_VARINT = 8;

/** One event's part of a body: `data` null and `kept` the digest where it was erased, else `kept` the salted bytes. */
export interface BodyPart {
  readonly data: string | null;
  /** Hex digest of salt and data. */
  readonly digest: string;
  readonly kept: Buffer;
}

/** Encodes the data of fresh events under fresh salts; gives the blob and the hex digest of each event. */
export function encodeBody(
  events: readonly { readonly data: string }[],
  salts: Salts,
): { readonly body: Buffer; readonly digests: readonly string[] } {
  let size = 0;
  for (const { data } of events) size += LONGEST_VARINT + SALT_BYTES + Buffer.byteLength(data, "utf8");
  const target = Buffer.allocUnsafe(size);
  const digests: string[] = [];
  let end = 0;
  for (const { data } of events) {
    const salt = writeVarint(target, end, Buffer.byteLength(data, "utf8") * 2);
    salts.writeTo(target, salt);
    end = salt + SALT_BYTES;
    end += target.write(data, end, "utf8");
    digests.push(saltedDigest(target.subarray(salt, end)));
  }
  return { body: target.subarray(0, end), digests };
}

/** Decodes a body of `count` events with their digests worked out anew; null when the bytes are no such thing. */
export function decodeBody(body: Buffer, count: number): readonly BodyPart[] | null {
  const reader = new VarintReader(body, 0);
  const parts: BodyPart[] = [];
  for (let index = 0; index < count; index += 1) {
    const head = reader.next();
    const erased = head % 2 === 1;
    const start = reader.offset;
    const end = start + (erased ? DIGEST_BYTES : SALT_BYTES + head / 2);
    if (reader.failed || end > body.length || (erased && head !== 1)) return null;
    const kept = body.subarray(start, end);
    reader.offset = end;
    parts.push(
      erased
        ? { data: null, digest: kept.toString("hex"), kept }
        : { data: body.toString("utf8", start + SALT_BYTES, end), digest: saltedDigest(kept), kept },
    );
  }
  return reader.offset === body.length ? parts : null;
}

/** The body again, with the data of the events at these indexes replaced by their digests. */
export function eraseFromBody(parts: readonly BodyPart[], indexes: ReadonlySet<number>): Buffer {
  const pieces: Buffer[] = [];
  parts.forEach((part, index) => {
    const erase = part.data === null || indexes.has(index);
    const head = Buffer.allocUnsafe(LONGEST_VARINT);
    const length = writeVarint(head, 0, erase ? 1 : (part.kept.length - SALT_BYTES) * 2);
    pieces.push(head.subarray(0, length), erase ? Buffer.from(part.digest, "hex") : part.kept);
  });
  return Buffer.concat(pieces);
}
