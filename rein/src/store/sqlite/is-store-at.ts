import { ok, type Result } from "../../core/errors.ts";
import { faultOf } from "./faults.ts";
import { readHeadNotes } from "./head-notes.ts";
import { findPlace, goneFault } from "./place.ts";

/**
 * Whether there is something at a path that `openSqliteStore` would open: false where it would make a new store, which is where there
 * is no file, or an empty one. Only looks, and changes nothing.
 *
 * Errors: `store_damaged` where the file is gone or empty though head files or a WAL beside it tell that it held a store;
 * `path_unusable`, `store_unsupported`, `invalid_option`, `store_io`.
 */
export function isStoreAt(path: string): Result<boolean> {
  const place = findPlace(path);
  if (!place.ok) return place;
  try {
    const gone = goneFault(place.value, readHeadNotes(place.value.heads));
    return gone === null ? ok((place.value.size ?? 0) > 0) : { ok: false, error: gone };
  } catch (thrown) {
    return { ok: false, error: faultOf(thrown, place.value.file) };
  }
}
