import type { Stats } from "node:fs";
import { constants, type FileHandle, lstat, mkdir, open, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isOpenAt } from "./is-open-at.ts";
import { systemCode } from "./path-error.ts";

/** A folder held open, so that its entries are reached without following its path again. */
export interface OpenFolder {
  /** A path of the entry of that name in the folder that was opened, whatever its own path leads to by now. */
  readonly at: (name: string) => string;
  /** Whether the path it was opened by still leads to it. */
  readonly isInPlace: () => Promise<boolean>;
  readonly close: () => Promise<void>;
}

/** Opens a folder to reach what is in it, which needs no right to list it. Source: Linux, `fcntl.h`; Node.js names it nowhere. */
const O_PATH = process.platform === "linux" ? 0o10_000_000 : 0;
const FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | O_PATH;

/**
 * Opens the folder at a real path and makes what is missing of it, step by step and without following a link. Null when a
 * step is a link, or no folder: it is not the place that was judged. On systems without `/proc` entries are reached by
 * path, so there {@link OpenFolder.isInPlace} is what finds a link that was put in the way.
 */
export async function openFolder(real: string): Promise<OpenFolder | null> {
  const missing: string[] = [];
  let existing = real;
  for (;;) {
    try {
      const opened = await openStep(existing, existing);
      if (opened === null || !(await opened.isInPlace())) {
        await opened?.close();
        return null;
      }
      return await makeBelow(opened, existing, missing);
    } catch (thrown) {
      const parent = dirname(existing);
      if (systemCode(thrown) !== "ENOENT" || parent === existing) throw thrown;
      missing.unshift(basename(existing));
      existing = parent;
    }
  }
}

async function makeBelow(top: OpenFolder, path: string, steps: readonly string[]): Promise<OpenFolder | null> {
  let folder = top;
  let real = path;
  for (const step of steps) {
    real = join(real, step);
    const outer = folder;
    try {
      await makeIfMissing(outer.at(step));
      const inner = await openStep(outer.at(step), real);
      if (inner === null) return null;
      folder = inner;
    } finally {
      await outer.close();
    }
  }
  return folder;
}

async function makeIfMissing(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (thrown) {
    if (systemCode(thrown) !== "EEXIST") throw thrown;
  }
}

/** Opens one folder; null when it is a link or no folder. */
async function openStep(path: string, real: string): Promise<OpenFolder | null> {
  let file: FileHandle;
  try {
    file = await open(path, FLAGS);
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === "ENOTDIR" || code === "ELOOP") return null;
    throw thrown;
  }
  try {
    return await folderOf(file, real);
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
}

async function folderOf(file: FileHandle, real: string): Promise<OpenFolder> {
  const through = `/proc/self/fd/${file.fd}`;
  const opened = await file.stat();
  const hasProc = (await statOf(through)) !== null;
  return {
    at: (name) => (hasProc ? `${through}/${name}` : join(real, name)),
    isInPlace: async () => {
      if (hasProc) return isOpenAt(file, real);
      const now = await statOf(real);
      return now?.dev === opened.dev && now.ino === opened.ino && (await realpath(real)) === real;
    },
    close: () => file.close(),
  };
}

/** What is at a path, links not followed; null when nothing is. */
export async function statOf(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (thrown) {
    if (systemCode(thrown) === "ENOENT") return null;
    throw thrown;
  }
}
