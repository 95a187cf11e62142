import { closeSync, ftruncateSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { MissingPages } from "./file-length.ts";

/** Kind of a page that is a node of a table, not a leaf. Source: SQLite, *Database File Format*, section 1.6. */
const NODE = 5;
/** The first page begins with the file's header. */
const HEADER_BYTES = 100;
/** No schema of ours lies further behind. */
const MOST_PAGES = 1_000;

/** Bytes of the longest copy (1 TiB): how long a file should be only its header says, which may be damaged too. */
const MOST_BYTES = 2 ** 40;

/**
 * Makes in `folder` a copy of a small database file that was cut, as long as it should be: where the pages that define its tables
 * are missing they are those of `fresh`, a new store, which lie in the same places; all others that are missing are blank. So what is
 * left can be read, and what is not is met as damage. Null where the file still has all pages that define its tables, or should be longer than 1 TiB. Blank pages take
 * no room, in memory or on the disk.
 */
export function filledCopy(file: string, missing: MissingPages, fresh: Buffer, folder: string): string | null {
  const { pageBytes, expected, from, to } = missing;
  const lost = schemaPages(fresh, pageBytes).filter((page) => page >= from && page <= to);
  if (lost.length === 0 || expected > MOST_BYTES) return null;
  const copy = join(folder, "copy.db");
  const descriptor = openSync(copy, "wx", 0o600);
  try {
    // Whole pages only; they are few, as pages that define tables lie at the beginning.
    writeFileSync(descriptor, readFileSync(file).subarray(0, (from - 1) * pageBytes));
    for (const page of lost) writeSync(descriptor, fresh, (page - 1) * pageBytes, pageBytes, (page - 1) * pageBytes);
    ftruncateSync(descriptor, Math.max(expected, fresh.length));
  } finally {
    closeSync(descriptor);
  }
  return copy;
}

/** Numbers of the pages of the table of tables, whose root is the first page. */
function schemaPages(bytes: Buffer, pageBytes: number): readonly number[] {
  const pages: number[] = [];
  const open = [1];
  for (let page = open.pop(); page !== undefined && pages.length < MOST_PAGES; page = open.pop()) {
    pages.push(page);
    const start = (page - 1) * pageBytes;
    const header = start + (page === 1 ? HEADER_BYTES : 0);
    if (bytes[header] !== NODE) continue;
    open.push(bytes.readUInt32BE(header + 8));
    const cells = bytes.readUInt16BE(header + 3);
    for (let cell = 0; cell < cells; cell += 1) {
      open.push(bytes.readUInt32BE(start + bytes.readUInt16BE(header + 12 + 2 * cell)));
    }
  }
  return pages;
}
