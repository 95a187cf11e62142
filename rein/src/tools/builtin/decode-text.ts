/** Bytes as text, or why they are none. */
export type Decoded =
  | { readonly text: string; readonly replaced: boolean }
  /** What the bytes look like: `a PNG image`, `binary data`. */
  | { readonly binary: string };

/** Bytes looked at for a NUL, the same as git does. */
const LOOKED_AT = 8_000;

const MAGIC: readonly (readonly [string, readonly number[]])[] = [
  ["a PNG image", [0x89, 0x50, 0x4e, 0x47]],
  ["a JPEG image", [0xff, 0xd8, 0xff]],
  ["a GIF image", [0x47, 0x49, 0x46, 0x38]],
  ["a PDF document", [0x25, 0x50, 0x44, 0x46]],
  ["a ZIP archive", [0x50, 0x4b, 0x03, 0x04]],
  ["a gzip archive", [0x1f, 0x8b]],
  ["an ELF program", [0x7f, 0x45, 0x4c, 0x46]],
  ["UTF-16 text", [0xff, 0xfe]],
  ["UTF-16 text", [0xfe, 0xff]],
];

/**
 * Decodes UTF-8; a byte-order mark is left out, bytes that are no UTF-8 become `�`. `cut` says that the bytes end where they
 * were cut, so half a character at the end is left out in silence.
 */
export function decodeText(bytes: Uint8Array, cut: boolean): Decoded {
  const kind = MAGIC.find(([, magic]) => magic.every((byte, index) => bytes[index] === byte));
  if (kind !== undefined) return { binary: kind[0] };
  if (bytes.subarray(0, LOOKED_AT).includes(0)) return { binary: "binary data" };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: cut }), replaced: false };
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown;
    return { text: new TextDecoder("utf-8").decode(bytes, { stream: cut }), replaced: true };
  }
}
