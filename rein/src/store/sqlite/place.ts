import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  readFileSync,
  realpathSync,
  statfsSync,
  statSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fail, ok, type ReinError, type Result } from "../../core/errors.ts";
import { damage, faultOf, readOnly as readOnlyFault } from "./faults.ts";
import { type HeadNotes, tellOfChanges } from "./head-notes.ts";
import { networkFileSystem } from "./network-file-system.ts";

/** Where a store lies, or would lie. */
export interface Place {
  /** Real path of the database, the same for every process however it named it. */
  readonly file: string;
  /** Folder of the head files. */
  readonly heads: string;
  /** Size of the file in bytes; null where there is none. */
  readonly size: number | null;
}

/** Bytes of a WAL that holds no frame. Source: SQLite, *Database File Format*, section 4.1. */
const WAL_HEADER_BYTES = 32;

/** Looks at a path and refuses what cannot be a store, each with its reason. Changes nothing. */
export function findPlace(path: string): Result<Place> {
  const error = refusedPath(path);
  if (error !== null) return error;
  const named = resolve(path);
  try {
    const file = realPathOf(named);
    const network = networkOf(existing(dirname(file)));
    if (network !== null) {
      return fail(
        "store_unsupported",
        `${file} lies on a network file system (${network}), where several processes cannot share a store safely.`,
        "Put the store on a local disk: set REIN_HOME to a local folder.",
        { place: { file } },
      );
    }
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat !== undefined && !stat.isFile()) {
      const what = stat.isDirectory() ? "a folder" : "no regular file";
      return fail("path_unusable", `${file} is ${what}.`, "Give the path of a database file.", { place: { file } });
    }
    if (stat !== undefined) accessSync(file, constants.R_OK);
    return ok({ file, heads: `${file}-heads`, size: stat?.size ?? null });
  } catch (thrown) {
    return { ok: false, error: faultOf(thrown, named) };
  }
}

/** What is wrong with a store whose file is missing or empty although something tells that it held a store; null otherwise. */
export function goneFault({ file, heads, size }: Place, notes: HeadNotes): ReinError | null {
  if (size !== null && size > 0) return null;
  const what = size === null ? "is gone" : "is empty";
  const hint = (evidence: string): string =>
    `Nothing was made or changed. Restore it from a backup; to begin anew without it, move ${evidence} away, or give another path.`;
  if (tellOfChanges(notes)) {
    const to = notes.greatest?.row;
    const told = to === undefined ? "changes" : to === 1 ? "1 change" : `${to} changes`;
    const message = `${file} ${what}, but the head files in ${heads} tell of ${told}: every session it held is lost, and their names with it.`;
    return {
      ...damage(file, message, { place: to === undefined ? {} : { fromRow: 1, toRow: to } }),
      hint: hint(heads),
    };
  }
  const wal = `${file}-wal`;
  const bytes = statSync(wal, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes <= WAL_HEADER_BYTES) return null;
  const message = `${file} ${what}, but its newest changes are there, in ${wal}.`;
  return { ...damage(file, message, { place: { wal } }), hint: hint(wal) };
}

/** Checks that a file can be written to. Changes nothing. */
export function checkWritable({ file, size }: Place): Result<void> {
  if (size === null) return ok(undefined);
  for (const path of [dirname(file), file]) {
    try {
      accessSync(path, constants.W_OK);
    } catch (thrown) {
      return { ok: false, error: readOnlyFault(file, thrown) };
    }
  }
  return ok(undefined);
}

/** Makes an open database, and the files that SQLite has made beside it with its mode, their owner's alone (0600). */
export function makePrivate(file: string): ReinError | null {
  try {
    for (const path of [file, `${file}-wal`, `${file}-shm`]) {
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat !== undefined && (stat.mode & 0o077) !== 0 && stat.uid === process.getuid?.()) chmodSync(path, 0o600);
    }
    return null;
  } catch (thrown) {
    return faultOf(thrown, file);
  }
}

/** The real path of what is there; of what is not yet there, below the real path of the nearest folder that is. */
function realPathOf(named: string): string {
  if (existsSync(named)) return realpathSync(named);
  const folder = dirname(named);
  const base = existing(folder);
  return join(realpathSync(base), relative(base, folder), basename(named));
}

/** The nearest that exists of a folder and those it lies in. */
function existing(folder: string): string {
  let nearest = folder;
  while (!existsSync(nearest) && nearest !== dirname(nearest)) nearest = dirname(nearest);
  return nearest;
}

function refusedPath(path: string): ReturnType<typeof fail> | null {
  if (path === ":memory:" || path === "" || path.startsWith("file:")) {
    return fail(
      "invalid_option",
      `${JSON.stringify(path)} is no path of a store.`,
      "Give the path of a file; for a store that lives as long as the process take the memory store.",
    );
  }
  if (path.includes("\0"))
    return fail("path_unusable", "The path of the store holds a NUL character.", "Give a path without it.");
  return null;
}

function networkOf(folder: string): string | null {
  // The magic numbers are Linux's; no other system gives numbers that stay the same.
  if (process.platform !== "linux") return null;
  return networkFileSystem(folder, statfsSync(folder), readFileSync("/proc/self/mountinfo", "utf8"));
}
