import type { Stats } from "node:fs";
import { constants, type FileHandle, lstat, mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ok, type ReinError, type Result } from "../core/errors.ts";
import { leadsElsewhere, pathError, systemCode, unusable } from "./path-error.ts";

/** What one write needs. */
export interface WriteRequest {
  /** Real path of the file. */
  readonly real: string;
  /** The absolute path as the caller knows it. */
  readonly named: string;
  readonly bytes: Uint8Array;
  /** Unique in the folder; the new version is written under it first. */
  readonly temporaryName: string;
}

/**
 * Writes a file whole: a new file beside it, synced, then renamed into its place, so that a reader or a crash finds the
 * old version or the new one. Missing folders are made. An existing file keeps its mode and, where allowed, its owner;
 * hard links to it keep the old version. A link as the last component is refused, and so is anything but a file.
 */
export async function writeRealFile(request: WriteRequest): Promise<Result<void>> {
  const { real, named } = request;
  const folder = dirname(real);
  try {
    const fault = await faultOfTarget(named);
    if (fault !== null) return { ok: false, error: fault };
    await mkdir(folder, { recursive: true });
    // `mkdir` follows links: the folder must be the one that was judged.
    if ((await realpath(folder)) !== folder) return { ok: false, error: leadsElsewhere(named) };

    const before = await statOf(real);
    if (before !== null) await mustBeWritable(real);
    await replace(join(folder, request.temporaryName), real, request.bytes, before);
    return ok(undefined);
  } catch (thrown) {
    return { ok: false, error: pathError(named, thrown) };
  }
}

async function faultOfTarget(named: string): Promise<ReinError | null> {
  const stat = await statOf(named);
  if (stat === null || stat.isFile()) return null;
  if (stat.isSymbolicLink()) {
    return unusable(named, "is a link, and a write follows none", "Write to the file it leads to.");
  }
  if (stat.isDirectory()) return unusable(named, "is a folder", "Name a file in it.");
  return unusable(named, "is not a regular file", "Name a regular file.");
}

/** A rename asks the folder alone; a file that is closed to us must stay as it is. */
async function mustBeWritable(real: string): Promise<void> {
  try {
    const file = await open(real, constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    await file.close();
  } catch (thrown) {
    // A program that is running can't be changed, but it can be replaced.
    if (systemCode(thrown) !== "ETXTBSY") throw thrown;
  }
}

async function replace(temporary: string, real: string, bytes: Uint8Array, before: Stats | null): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const file = await open(temporary, flags, before === null ? 0o666 : 0o600);
  try {
    try {
      await file.writeFile(bytes);
      if (before !== null) await keepOwnerAndMode(file, before);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, real);
  } catch (thrown) {
    await rm(temporary, { force: true });
    throw thrown;
  }
}

async function keepOwnerAndMode(file: FileHandle, before: Stats): Promise<void> {
  const isKept = await keepOwner(file, before);
  // Under another owner the bits that lend an owner's rights would lend other rights.
  await file.chmod(before.mode & (isKept ? 0o7777 : 0o777));
}

async function keepOwner(file: FileHandle, before: Stats): Promise<boolean> {
  const now = await file.stat();
  if (now.uid === before.uid && now.gid === before.gid) return true;
  try {
    await file.chown(before.uid, before.gid);
    return true;
  } catch (thrown) {
    // Only the superuser may give a file away: then the new version is ours, as with any editor that saves this way.
    if (systemCode(thrown) === "EPERM") return false;
    throw thrown;
  }
}

async function statOf(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (thrown) {
    if (systemCode(thrown) === "ENOENT") return null;
    throw thrown;
  }
}
