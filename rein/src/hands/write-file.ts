import type { Stats } from "node:fs";
import { constants, type FileHandle, open, rename, rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { ok, type ReinError, type Result } from "../core/errors.ts";
import { type OpenFolder, openFolder, statOf } from "./open-folder.ts";
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
  /** Called with the folder before anything is written in it. */
  readonly opened?: (folder: OpenFolder) => Promise<void>;
}

/**
 * Writes a file whole: a new file beside it, synced, then renamed into its place, so that a reader or a crash finds the
 * old version or the new one. Missing folders are made. An existing file keeps its mode and, where allowed, its owner;
 * hard links to it keep the old version. A link as the last component is refused, and so is anything but a file.
 *
 * The folder is opened once, without following a link, and everything happens in that open folder: a link that is put in
 * the way of its path while this goes on leads nowhere (`path_outside`).
 */
export async function writeRealFile(request: WriteRequest): Promise<Result<void>> {
  const { real, named } = request;
  try {
    const fault = await faultOfTarget(named, named);
    if (fault !== null) return { ok: false, error: fault };
    const folder = await openFolder(dirname(real));
    if (folder === null) return { ok: false, error: leadsElsewhere(named) };
    try {
      return await writeIn(folder, basename(real), request);
    } finally {
      await folder.close();
    }
  } catch (thrown) {
    return { ok: false, error: pathError(named, thrown) };
  }
}

async function writeIn(folder: OpenFolder, name: string, request: WriteRequest): Promise<Result<void>> {
  const { named } = request;
  const target = folder.at(name);
  const fault = await faultOfTarget(target, named);
  if (fault !== null) return { ok: false, error: fault };
  const before = await statOf(target);
  if (before !== null) await mustBeWritable(target);
  await request.opened?.(folder);

  const temporary = folder.at(request.temporaryName);
  try {
    await writeNew(temporary, request.bytes, before);
    if (await folder.isInPlace()) {
      await rename(temporary, target);
      return ok(undefined);
    }
    await rm(temporary, { force: true });
    return { ok: false, error: leadsElsewhere(named) };
  } catch (thrown) {
    await rm(temporary, { force: true });
    throw thrown;
  }
}

async function faultOfTarget(path: string, named: string): Promise<ReinError | null> {
  const stat = await statOf(path);
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

async function writeNew(path: string, bytes: Uint8Array, before: Stats | null): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const file = await open(path, flags, before === null ? 0o666 : 0o600);
  try {
    await file.writeFile(bytes);
    if (before !== null) await keepOwnerAndMode(file, before);
    await file.sync();
  } finally {
    await file.close();
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
