/** Cuts the bytes of an exported session into lines. */
import { isUtf8 } from "node:buffer";

/** The bytes of a file, in pieces cut anywhere; text counts as its UTF-8. */
export type ExportSource = AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>;

/** A line that is not blank. */
export interface ExportLine {
  /** From 1; blank lines count. */
  readonly number: number;
  /** Without its newline; null when it is no text. */
  readonly text: string | null;
  /** Why it is no text. */
  readonly fault?: string;
}

/** Bytes of a line above which it is taken for damage: more than any text that V8 can hold. */
const MOST_BYTES = 512 * 1024 * 1024;

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Gives the lines of a source that are not blank. */
export async function* linesOf(source: ExportSource): AsyncGenerator<ExportLine, void, undefined> {
  let number = 0;
  let pieces: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk, "utf8") : chunk;
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      number += 1;
      const line = lineOf(number, [...pieces, bytes.subarray(start, end)], size + end - start);
      if (line !== null) yield line;
      pieces = [];
      size = 0;
      start = end + 1;
    }
    size += bytes.length - start;
    if (size <= MOST_BYTES) pieces.push(bytes.subarray(start));
    else pieces = [];
  }
  const last = lineOf(number + 1, pieces, size);
  if (last !== null) yield last;
}

function lineOf(number: number, pieces: readonly Uint8Array[], size: number): ExportLine | null {
  if (size > MOST_BYTES) return { number, text: null, fault: `is longer than ${MOST_BYTES} bytes` };
  const bytes = Buffer.concat(pieces);
  if (!isUtf8(bytes)) return { number, text: null, fault: "holds bytes that are no UTF-8" };
  const end = bytes.at(-1) === CARRIAGE_RETURN ? bytes.length - 1 : bytes.length;
  const text = bytes.toString("utf8", 0, end);
  return text.trim() === "" ? null : { number, text };
}
