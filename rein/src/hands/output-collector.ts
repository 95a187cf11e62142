import { StringDecoder } from "node:string_decoder";

/**
 * Keeps the head and the tail of a stream of bytes and counts all of it. Memory is bounded by `most` whatever comes.
 */
export class OutputCollector {
  /** Bytes seen in all. */
  bytes = 0;
  /** Grows up to its bound: a chunk of its own for each of many small writes would cost far more than their bytes. */
  #head = Buffer.allocUnsafe(0);
  #headBytes = 0;
  readonly #headMost: number;
  readonly #tailMost: number;
  /** A ring; made when the head is full. */
  #tail: Buffer | null = null;
  readonly #decoder = new StringDecoder("utf8");

  /** `most`: bytes kept in all. */
  constructor(most: number) {
    this.#headMost = Math.ceil(most / 2);
    this.#tailMost = Math.floor(most / 2);
  }

  /** Takes in a chunk. */
  push(chunk: Buffer): void {
    const forHead = chunk.subarray(0, this.#headMost - this.#headBytes);
    if (forHead.length > 0) this.#pushHead(forHead);
    const rest = chunk.subarray(forHead.length);
    if (rest.length > 0) this.#pushTail(rest, this.bytes + forHead.length - this.#headMost);
    this.bytes += chunk.length;
  }

  /** The text of a chunk for live output: a character split between chunks comes whole with the second one. */
  live(chunk: Buffer): string {
    return this.#decoder.write(chunk);
  }

  /** What is left of live output at the end. */
  liveEnd(): string {
    return this.#decoder.end();
  }

  /** What was kept, as well-formed text; where bytes were left out a line says how many. */
  text(): string {
    const head = this.#head.subarray(0, this.#headBytes);
    const left = this.bytes - this.#headBytes - this.#tailMost;
    if (left <= 0) return decode(Buffer.concat([head, this.#tailBytes()]));

    const headEnd = wholeUntil(head);
    const tail = this.#tailBytes();
    const tailStart = wholeFrom(tail);
    const omitted = left + (head.length - headEnd) + tailStart;
    return `${decode(head.subarray(0, headEnd))}\n[... ${omitted} bytes left out ...]\n${decode(tail.subarray(tailStart))}`;
  }

  #pushHead(bytes: Buffer): void {
    const needed = this.#headBytes + bytes.length;
    if (needed > this.#head.length) {
      const grown = Buffer.allocUnsafe(Math.min(this.#headMost, Math.max(needed, this.#head.length * 2, 4_096)));
      this.#head.copy(grown, 0, 0, this.#headBytes);
      this.#head = grown;
    }
    bytes.copy(this.#head, this.#headBytes);
    this.#headBytes = needed;
  }

  /** `position`: number of tail bytes that came before. */
  #pushTail(bytes: Buffer, position: number): void {
    if (this.#tailMost === 0) return;
    this.#tail ??= Buffer.allocUnsafe(this.#tailMost);
    const kept = bytes.subarray(Math.max(0, bytes.length - this.#tailMost));
    const at = (position + bytes.length - kept.length) % this.#tailMost;
    const copied = kept.copy(this.#tail, at);
    kept.copy(this.#tail, 0, copied);
  }

  #tailBytes(): Buffer {
    const count = this.bytes - this.#headBytes;
    if (this.#tail === null) return Buffer.alloc(0);
    if (count <= this.#tailMost) return this.#tail.subarray(0, count);
    const start = count % this.#tailMost;
    return Buffer.concat([this.#tail.subarray(start), this.#tail.subarray(0, start)]);
  }
}

/** Bytes that are no UTF-8 become U+FFFD; a byte order mark stays. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** How many bytes at the front hold whole characters, when the last one may have been cut. */
function wholeUntil(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    return lengthOf(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** How many bytes at the front belong to a character whose start was cut off. */
function wholeFrom(bytes: Buffer): number {
  let start = 0;
  while (start < 3 && start < bytes.length && isContinuation(bytes[start] ?? 0)) start += 1;
  return start;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function lengthOf(first: number): number {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}
