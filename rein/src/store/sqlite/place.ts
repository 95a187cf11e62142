import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  statfsSync,
  statSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fail, ok, type Result } from "../../core/errors.ts";
import { faultOf, readOnly as readOnlyFault } from "./faults.ts";
import { networkFileSystem } from "./network-file-system.ts";

/** Where a store lies. */
export interface Place {
  /** Real path of the database, the same for every process however it named it. */
  readonly file: string;
  /** Folder of the head files. */
  readonly heads: string;
  /** Whether the file was there and not empty. */
  readonly existed: boolean;
}

/**
 * Makes the way for a database file: its folder (0700) and, when the store is opened for writing, the file itself (0600),
 * whose mode SQLite gives to the files beside it. Refuses what cannot be a store, each with its reason.
 */
export function preparePlace(path: string, readOnly: boolean): Result<Place> {
  const error = refusedPath(path);
  if (error !== null) return error;
  const named = resolve(path);
  try {
    const folder = dirname(named);
    if (!readOnly) mkdirSync(folder, { recursive: true, mode: 0o700 });
    const file = existsSync(named) ? realpathSync(named) : join(realpathSync(folder), basename(named));
    const network = networkOf(dirname(file));
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
    if (stat === undefined && readOnly) {
      return fail(
        "path_unusable",
        `There is no store at ${file}.`,
        "Check the path; a store opened for reading is not created.",
        {
          place: { file },
        },
      );
    }
    if (stat !== undefined) accessSync(file, constants.R_OK);
    if (!readOnly) {
      const refused = makeWritable(file, stat?.mode);
      if (refused !== null) return refused;
    }
    return ok({ file, heads: `${file}-heads`, existed: (stat?.size ?? 0) > 0 });
  } catch (thrown) {
    return { ok: false, error: faultOf(thrown, named) };
  }
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

function makeWritable(file: string, mode: number | undefined): ReturnType<typeof fail> | null {
  for (const path of [dirname(file), file]) {
    if (path === file && mode === undefined) continue;
    try {
      accessSync(path, constants.W_OK);
    } catch (thrown) {
      return { ok: false, error: readOnlyFault(file, thrown) };
    }
  }
  if (mode === undefined) closeSync(openSync(file, "a", 0o600));
  else if ((mode & 0o077) !== 0 && statSync(file).uid === process.getuid?.() && mayBeStore(file))
    chmodSync(file, 0o600);
  return null;
}

/** First bytes of a database. Source: SQLite, *Database File Format*, section 1.2. */
const MAGIC = Buffer.from("SQLite format 3\0", "latin1");

/** Whether a file is empty or begins as a database does: what is refused afterwards must not have been changed. */
function mayBeStore(file: string): boolean {
  const descriptor = openSync(file, "r");
  try {
    const bytes = Buffer.alloc(MAGIC.length);
    const read = readSync(descriptor, bytes, 0, bytes.length, 0);
    return read === 0 || bytes.subarray(0, read).equals(MAGIC);
  } finally {
    closeSync(descriptor);
  }
}

function networkOf(folder: string): string | null {
  // The magic numbers are Linux's; no other system gives numbers that stay the same.
  if (process.platform !== "linux") return null;
  return networkFileSystem(folder, statfsSync(folder), readFileSync("/proc/self/mountinfo", "utf8"));
}
