import { hash } from "node:crypto";
import { wholeEnd, wholeStart } from "./clip.ts";

/** A text cut for the model, and the whole for the store. */
export interface LimitedText {
  readonly text: string;
  /** Bytes of the text before it was cut, in UTF-8. */
  readonly originalBytes: number;
  readonly blob: { readonly hash: string; readonly bytes: Uint8Array };
}

/** How a long text is cut. Bytes are those of UTF-8. */
export interface TextLimits {
  /** A text of at most so many bytes stays whole. */
  readonly inline: number;
  /** Most bytes kept of the whole. */
  readonly hard: number;
}

/**
 * Cuts a text that is too long: the model gets its head and tail, together half of the inline limit, with a note between
 * them; the store gets the whole up to the hard limit, and of a longer one the head and tail. Undefined when it is short enough.
 */
export function limitText(text: string, limits: TextLimits, session: string): LimitedText | undefined {
  // UTF-16 units never count more than UTF-8 bytes, and bytes at most three times as much.
  if (text.length * 3 <= limits.inline) return undefined;
  const originalBytes = Buffer.byteLength(text);
  if (originalBytes <= limits.inline) return undefined;

  const kept = originalBytes <= limits.hard ? text : middleCut(text, limits.hard, originalBytes);
  const bytes = new TextEncoder().encode(kept);
  const digest = hash("sha256", bytes, "hex");
  const head = toLineEnd(headOf(text, Math.floor(limits.inline / 4)));
  const tail = fromLineStart(tailOf(text, Math.floor(limits.inline / 4)));
  const shown = Buffer.byteLength(head) + Buffer.byteLength(tail);
  const note = [
    `[The result has ${originalBytes} bytes; ${originalBytes - shown} of them are left out here.`,
    "To see them, ask for less at a time (a range, a filter, a narrower path).",
    `${originalBytes <= limits.hard ? "The whole is" : `The first and last ${limits.hard} bytes together are`} kept as`,
    `blob ${digest}; a person reads it with: rein show ${session} --blob ${digest}]`,
  ].join(" ");
  return { text: `${head}\n\n${note}\n\n${tail}`, originalBytes, blob: { hash: digest, bytes } };
}

function middleCut(text: string, most: number, originalBytes: number): string {
  const mark = `\n[cut here: the original has ${originalBytes} bytes]\n`;
  const half = Math.floor((most - Buffer.byteLength(mark)) / 2);
  return `${headOf(text, half)}${mark}${tailOf(text, half)}`;
}

/** The longest beginning of a text that has at most so many bytes. */
function headOf(text: string, most: number): string {
  const { read } = new TextEncoder().encodeInto(
    text.slice(0, wholeEnd(text, Math.min(most, text.length))),
    new Uint8Array(most),
  );
  return text.slice(0, read);
}

/** The longest end of a text that has at most so many bytes. */
function tailOf(text: string, most: number): string {
  const bytes = Buffer.from(text.slice(wholeStart(text, Math.max(0, text.length - most))));
  let start = Math.max(0, bytes.length - most);
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.toString("utf8", start);
}

/** Without a last line that was cut, unless that would lose more than half. */
function toLineEnd(text: string): string {
  const end = text.lastIndexOf("\n");
  return end > text.length / 2 ? text.slice(0, end) : text;
}

/** Without a first line that was cut, unless that would lose more than half. */
function fromLineStart(text: string): string {
  const start = text.indexOf("\n") + 1;
  return start < text.length / 2 ? text.slice(start) : text;
}
