import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { type ReinError, ReinFailure, reinError, textOfThrown } from "../../core/errors.ts";
import { OddValue } from "./values.ts";

/** SQLite's primary result codes (https://sqlite.org/rescode.html) that mean something to us. */
const SQLITE = {
  ERROR: 1,
  PERM: 3,
  BUSY: 5,
  LOCKED: 6,
  NOMEM: 7,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  PROTOCOL: 15,
  TOOBIG: 18,
  CONSTRAINT: 19,
  MISMATCH: 20,
  NOTADB: 26,
} as const;

/** The primary result code of an error thrown by `node:sqlite`, or null when it is none. */
function sqliteCode(thrown: unknown): number | null {
  if (!(thrown instanceof Error) || !("errcode" in thrown) || typeof thrown.errcode !== "number") return null;
  return thrown.errcode & 0xff;
}

/** The code of an error of the operating system, such as `ENOSPC`. */
export function systemCode(thrown: unknown): string | null {
  if (!(thrown instanceof Error) || !("code" in thrown) || typeof thrown.code !== "string") return null;
  return thrown.code;
}

/** Whether another connection held a lock that this one needed; trying again later is right. */
export function isBusy(thrown: unknown): boolean {
  const code = sqliteCode(thrown);
  return code === SQLITE.BUSY || code === SQLITE.LOCKED || code === SQLITE.PROTOCOL;
}

/** Whether the file does not begin as a database of SQLite does. */
export function isNoDatabase(thrown: unknown): boolean {
  return sqliteCode(thrown) === SQLITE.NOTADB;
}

/** Turns whatever SQLite or the system threw while working on `file` into an error of the closed family. */
export function faultOf(thrown: unknown, file: string): ReinError {
  if (thrown instanceof ReinFailure) return thrown.error;
  if (thrown instanceof OddValue) return damage(file, thrown.message, { cause: thrown });
  const code = sqliteCode(thrown);
  if (code !== null) return sqliteFault(code, thrown, file);
  const system = systemCode(thrown);
  if (system === "ERR_OUT_OF_RANGE") return damage(file, "A number is larger than any Rein writes.", { cause: thrown });
  if (system !== null) return systemFault(system, thrown, file);
  return reinError(
    "internal",
    `The store ${file} failed: ${textOfThrown(thrown)}`,
    "This is a defect of Rein: please report it.",
    {
      cause: thrown,
    },
  );
}

/** The same for what was thrown while writing: without permission to write, the store is read-only. */
export function writeFault(thrown: unknown, file: string): ReinError {
  const code = systemCode(thrown);
  return code === "EACCES" || code === "EPERM" ? readOnly(file, thrown) : faultOf(thrown, file);
}

/** Bytes that changed or are missing; `place` is added to the file's name. */
export function damage(
  file: string,
  message: string,
  more: { readonly place?: Readonly<Record<string, string | number>>; readonly cause?: unknown } = {},
): ReinError {
  return reinError(
    "store_damaged",
    message,
    "Nothing was changed. `rein verify` lists every place; restore them from a backup or an export.",
    {
      ...(more.cause === undefined ? {} : { cause: more.cause }),
      place: { file, ...more.place },
    },
  );
}

function sqliteFault(code: number, cause: unknown, file: string): ReinError {
  const text = textOfThrown(cause);
  const more = { cause, place: { file } };
  switch (code) {
    case SQLITE.BUSY:
    case SQLITE.LOCKED:
    case SQLITE.PROTOCOL:
      return busy(file, cause);
    case SQLITE.FULL:
      return full(file, cause);
    case SQLITE.READONLY:
    case SQLITE.PERM:
      return readOnly(file, cause);
    case SQLITE.CORRUPT:
    case SQLITE.NOTADB:
    case SQLITE.CONSTRAINT:
    case SQLITE.MISMATCH:
    // With statements that never change, an error of this kind means that the schema in the file is not the one it claims.
    case SQLITE.ERROR:
      return damage(file, `The database ${file} is damaged: ${text}.`, { cause });
    case SQLITE.CANTOPEN:
      if (isFull(file)) return full(file, cause);
      return reinError(
        "path_unusable",
        `The database ${file} cannot be opened: ${text}.`,
        "Check the path and the permissions of its folder.",
        more,
      );
    case SQLITE.TOOBIG:
      return reinError(
        "event_invalid",
        `Something is too large for ${file}: ${text}.`,
        "One value may have at most 1,000,000,000 bytes.",
        more,
      );
    default:
      if (isFull(file)) return full(file, cause);
      return reinError(
        "store_io",
        `Reading or writing ${file} failed: ${text}.`,
        "Check the disk and the system's log; what was committed is intact.",
        more,
      );
  }
}

/** Free bytes below which a disk counts as full: the shared memory of a WAL alone takes 32 KiB. */
const LITTLE_BYTES = 128 * 1024;

/** Whether the disk is full: for want of room for its shared memory or its WAL, SQLite only says that it cannot open or write a file. */
function isFull(file: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(file));
    return bavail * bsize < LITTLE_BYTES;
  } catch {
    // A folder that cannot be looked at is another trouble, which is told as such.
    return false;
  }
}

function full(file: string, cause: unknown): ReinError {
  return reinError(
    "store_full",
    `The disk that holds ${file} is full.`,
    "Free some space and resume; what was committed is intact.",
    { cause, place: { file } },
  );
}

function systemFault(code: string, cause: unknown, file: string): ReinError {
  const text = textOfThrown(cause);
  const more = { cause, place: { file } };
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return full(file, cause);
    case "EROFS":
      return readOnly(file, cause);
    case "EACCES":
    case "EPERM":
      return reinError(
        "path_unusable",
        `${file} may not be used: ${text}.`,
        "Check who owns the file and its folder, and their permissions.",
        more,
      );
    case "ENOENT":
    case "EEXIST":
    case "ENOTDIR":
    case "EISDIR":
    case "ELOOP":
    case "ENAMETOOLONG":
    case "ERR_INVALID_ARG_VALUE":
      return reinError(
        "path_unusable",
        `${file} cannot be a store: ${text}.`,
        "Give the path of a file in a folder on a local disk.",
        more,
      );
    default:
      return reinError(
        "store_io",
        `Reading or writing ${file} failed: ${text}.`,
        "Check the disk and the system's log; what was committed is intact.",
        more,
      );
  }
}

/** A file or folder that cannot be written to. */
export function readOnly(file: string, cause?: unknown): ReinError {
  return reinError(
    "store_readonly",
    `The store ${file} cannot be written to.`,
    "Check the permissions of the file and its folder and how the disk is mounted.",
    {
      ...(cause === undefined ? {} : { cause }),
      place: { file },
    },
  );
}

/** Another process kept its lock longer than we wait. */
export function busy(file: string, cause?: unknown): ReinError {
  return reinError(
    "store_busy",
    `Another process keeps ${file} locked.`,
    "Try again; if it stays so, look for a stopped process that has it open.",
    {
      ...(cause === undefined ? {} : { cause }),
      place: { file },
    },
  );
}
