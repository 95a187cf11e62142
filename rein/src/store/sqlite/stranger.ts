import { closeSync, openSync, readSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { fail, type ReinError } from "../../core/errors.ts";
import { loadSqlite } from "./load-sqlite.ts";
import { isStranger } from "./schema.ts";

/** First bytes of a database. Source: SQLite, *Database File Format*, section 1.2. */
const MAGIC = Buffer.from("SQLite format 3\0", "latin1");

/**
 * Why a file that is not empty is no store of Rein; null where it is one, or where only opening it can tell. Leaves the file and what
 * lies beside it as they are: to SQLite it is a file that nobody can change, so it makes no WAL and no shared memory for it.
 */
export function strangerFault(file: string): ReinError | null {
  if (!beginsAsDatabase(file)) return strangerError(file, "is not a database");
  const { DatabaseSync } = loadSqlite();
  try {
    const db = new DatabaseSync(`${pathToFileURL(file).href}?immutable=1`, { readOnly: true });
    try {
      return isStranger(db) ? strangerError(file, "is a database, but not a store of Rein") : null;
    } finally {
      db.close();
    }
  } catch {
    // What stands in the way here stands in the way of opening it too, and is told there.
    return null;
  }
}

/** The error for a file of something else. */
export function strangerError(file: string, what: string, cause?: unknown): ReinError {
  return fail("store_unsupported", `${file} ${what}.`, "Give the path of another file.", {
    place: { file },
    ...(cause === undefined ? {} : { cause }),
  }).error;
}

function beginsAsDatabase(file: string): boolean {
  const descriptor = openSync(file, "r");
  try {
    const bytes = Buffer.alloc(MAGIC.length);
    readSync(descriptor, bytes, 0, bytes.length, 0);
    return bytes.equals(MAGIC);
  } finally {
    closeSync(descriptor);
  }
}
