import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  copyFileSync,
  linkSync,
  mkdirSync,
  openSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import type { ReinError, Result } from "../../core/errors.ts";
import { systemCode, writeFault } from "./faults.ts";

/** What a file system without hard links says. */
const NO_LINKS: readonly (string | null)[] = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

/** Bytes that must be free besides: a store that is open needs its shared memory (32 KiB) and the first frames of its WAL. */
const ROOM_BYTES = 128 * 1024;

/**
 * Makes the file of a new store: `build` makes it under another name, and only when it is whole does it take its place, so that
 * whoever fails leaves nothing, and nobody ever finds half of a store (on a file system without hard links: while it is copied). Where another process was quicker, its file is the store.
 * Missing folders are made (0700), and go again after a failure.
 */
export async function createFile(
  file: string,
  build: (beside: string) => Promise<Result<void>>,
): Promise<Result<void>> {
  const folder = dirname(file);
  const beside = `${file}-new-${randomBytes(6).toString("hex")}`;
  let made: string | undefined;
  let done = false;
  try {
    made = mkdirSync(folder, { recursive: true, mode: 0o700 });
    closeSync(openSync(beside, "wx", 0o600));
    const built = await build(beside);
    if (!built.ok) return { ok: false, error: ofNewStore(built.error, file) };
    writeFileSync(`${beside}-room`, Buffer.alloc(ROOM_BYTES), { mode: 0o600 });
    putInPlace(beside, file);
    done = true;
    return built;
  } catch (thrown) {
    return { ok: false, error: ofNewStore(writeFault(thrown, file), file) };
  } finally {
    for (const end of ["", "-wal", "-shm", "-journal", "-room"]) rmSync(`${beside}${end}`, { force: true });
    if (!done && made !== undefined) removeFolders(folder, made);
  }
}

/** Where there is no store yet, nothing can be resumed. */
function ofNewStore(error: ReinError, file: string): ReinError {
  if (error.code !== "store_full") return error;
  const message = `The disk is full: there is no room for a new store at ${file}.`;
  return { ...error, message, hint: "Free some space and try again, or give another path; nothing was left behind." };
}

/** Unlike a rename, neither way takes the place of a file that another process has made meanwhile. */
function putInPlace(beside: string, file: string): void {
  try {
    try {
      linkSync(beside, file);
    } catch (thrown) {
      if (!NO_LINKS.includes(systemCode(thrown))) throw thrown;
      copyFileSync(beside, file, constants.COPYFILE_EXCL);
    }
  } catch (thrown) {
    if (systemCode(thrown) !== "EEXIST") throw thrown;
  }
}

/** Removes the folders from `folder` up to `first`, as far as nobody has put anything into them. */
function removeFolders(folder: string, first: string): void {
  for (let path = folder; ; path = dirname(path)) {
    try {
      rmdirSync(path);
    } catch {
      // Not empty, or gone already: what is said is why there is no store.
      return;
    }
    if (path === first) return;
  }
}
