import { closeSync, openSync, readSync, statSync } from "node:fs";

/** How a database file is shorter than its first page says. */
export interface MissingPages {
  /** Bytes that are there, and that should be. */
  readonly bytes: number;
  readonly expected: number;
  readonly pageBytes: number;
  /** First and last page that is not there as a whole. */
  readonly from: number;
  readonly to: number;
}

/**
 * Compares the length of a database file with what its first page says; null where it is long enough or the page does not say. Source
 * of the places: SQLite, *Database File Format*, section 1.3. While a WAL holds frames, a file may rightly be shorter.
 */
export function missingPages(file: string): MissingPages | null {
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const header = Buffer.alloc(100);
  if (bytes < header.length) return null;
  const descriptor = openSync(file, "r");
  try {
    readSync(descriptor, header, 0, header.length, 0);
  } finally {
    closeSync(descriptor);
  }
  const size = header.readUInt16BE(16);
  const pageBytes = size === 1 ? 65_536 : size;
  // The number of pages holds only if it was written by the last change of this page.
  if (pageBytes < 512 || header.readUInt32BE(24) !== header.readUInt32BE(92)) return null;
  const to = header.readUInt32BE(28);
  const expected = to * pageBytes;
  if (bytes >= expected) return null;
  return { bytes, expected, pageBytes, from: Math.floor(bytes / pageBytes) + 1, to };
}

/** The same in words. */
export function missingPagesText(file: string, { bytes, expected, pageBytes, from, to }: MissingPages): string {
  const pages = from === to ? `page ${from} is` : `pages ${from} to ${to} are`;
  return `${file} has ${bytes} of ${expected} bytes: ${pages} missing (${pageBytes} bytes each).`;
}
