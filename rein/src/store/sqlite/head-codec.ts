/**
 * The heads of an append's events as one small blob: a byte that names the form, then for each event its type (a number of
 * the table `kind`), version and time. Form 1: varints (LEB128), signs by zigzag, each time but the first as the difference
 * from the one before; a few bytes an event. Form 2: the same numbers as a JSON array, for those too large for form 1.
 */

/** The head of one event with its type as a number. */
export interface CodedHead {
  readonly kind: number;
  readonly version: number;
  readonly at: number;
}

const VARINTS = 1;
const JSON_TEXT = 2;

/** Doubling and subtracting such numbers stays exact. */
const LARGEST = 2 ** 50;

const scratch = Buffer.allocUnsafeSlow(64 * 1024);

/** Encodes heads; the result is the caller's own. */
export function encodeHeads(heads: readonly CodedHead[]): Buffer {
  if (heads.length * 24 >= scratch.length || !heads.every(isSmall)) {
    const text = JSON.stringify(heads.map(({ kind, version, at }) => [kind, version, at]));
    return Buffer.concat([Buffer.of(JSON_TEXT), Buffer.from(text, "utf8")]);
  }
  scratch[0] = VARINTS;
  let end = 1;
  let previous = 0;
  for (const { kind, version, at } of heads) {
    end = writeVarint(scratch, end, kind);
    end = writeVarint(scratch, end, zigzag(version));
    end = writeVarint(scratch, end, zigzag(at - previous));
    previous = at;
  }
  return Buffer.from(scratch.subarray(0, end));
}

/** Decodes heads; null when the bytes are no such thing. */
export function decodeHeads(bytes: Uint8Array): readonly CodedHead[] | null {
  switch (bytes[0]) {
    case VARINTS:
      return decodeVarints(bytes);
    case JSON_TEXT:
      return decodeJson(bytes);
    default:
      return null;
  }
}

function isSmall({ version, at }: CodedHead): boolean {
  return Math.abs(version) < LARGEST && Math.abs(at) < LARGEST;
}

function decodeVarints(bytes: Uint8Array): readonly CodedHead[] | null {
  const reader = new VarintReader(bytes, 1);
  const heads: CodedHead[] = [];
  let previous = 0;
  while (reader.offset < bytes.length) {
    const kind = reader.next();
    const version = unzigzag(reader.next());
    const at = previous + unzigzag(reader.next());
    if (reader.failed) return null;
    previous = at;
    heads.push({ kind, version, at });
  }
  return heads;
}

function decodeJson(bytes: Uint8Array): readonly CodedHead[] | null {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset + 1, bytes.byteLength - 1).toString("utf8"));
  } catch (cause) {
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
  if (!Array.isArray(value)) return null;
  const heads: CodedHead[] = [];
  for (const head of value) {
    if (!Array.isArray(head)) return null;
    const [kind, version, at]: unknown[] = head;
    if (typeof kind !== "number" || typeof version !== "number" || typeof at !== "number") return null;
    heads.push({ kind, version, at });
  }
  return heads;
}

function zigzag(value: number): number {
  return value >= 0 ? value * 2 : -value * 2 - 1;
}

function unzigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

/** Writes a varint of a safe integer ≥ 0 and returns the offset behind it. */
export function writeVarint(target: Buffer, offset: number, value: number): number {
  let rest = value;
  let end = offset;
  while (rest >= 128) {
    target[end] = (rest % 128) | 128;
    rest = Math.floor(rest / 128);
    end += 1;
  }
  target[end] = rest;
  return end + 1;
}

/** Reads varints one after another; `failed` once the bytes ended early or a number was too large. */
export class VarintReader {
  readonly #bytes: Uint8Array;
  offset: number;
  failed = false;

  constructor(bytes: Uint8Array, offset: number) {
    this.#bytes = bytes;
    this.offset = offset;
  }

  next(): number {
    let value = 0;
    let factor = 1;
    for (let length = 0; length < 8; length += 1) {
      const byte = this.#bytes[this.offset];
      if (byte === undefined) break;
      this.offset += 1;
      value += (byte & 127) * factor;
      if (byte < 128 && Number.isSafeInteger(value)) return value;
      factor *= 128;
    }
    this.failed = true;
    return 0;
  }
}
