import type { Stats } from "node:fs";
import { constants, lstat, open } from "node:fs/promises";
import { isAbsolute, join, normalize } from "node:path";
import type { Result } from "../core/errors.ts";
import type { FileContent, TreeEntry, TreeReader } from "../core/ports.ts";
import { isOpenAt } from "./is-open-at.ts";
import { systemCode, unusable } from "./path-error.ts";
import { readRealFile } from "./read-file.ts";
import { resolvePath } from "./resolve-path.ts";
import { sortedNames } from "./sorted-names.ts";

/** Entries looked at together; the file system answers several questions at once quicker. */
const BATCH = 32;

/**
 * Reads the tree below a real path. Memory is bounded by the depth of the tree, not by its size. A folder that can't be
 * read comes as an entry of kind `other`, and what vanishes during the walk is left out.
 */
export function createTreeReader(root: string): TreeReader {
  return {
    entries: (options) => walk(root, options),
    read: (path, maxBytes) => readInTree(root, path, maxBytes),
  };
}

interface WalkOptions {
  readonly skip?: (entry: TreeEntry) => boolean;
  readonly signal: AbortSignal;
}

interface Level {
  /** Relative to the root; empty for the root. */
  readonly path: string;
  readonly names: AsyncIterator<string>;
  readonly ready: TreeEntry[];
}

async function* walk(root: string, { skip, signal }: WalkOptions): AsyncGenerator<TreeEntry> {
  const top = await openLevel(root, "");
  const levels: Level[] = top === null ? [] : [top];
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    if (signal.aborted) return;
    if (level.ready.length === 0) level.ready.push(...(await nextEntries(root, level)));
    const entry = level.ready.shift();
    if (entry === undefined) {
      levels.pop();
      continue;
    }
    if (skip?.(entry) === true) continue;
    if (entry.kind !== "folder") {
      yield entry;
      continue;
    }
    const inner = await openLevel(root, entry.path);
    yield inner === null ? { ...entry, kind: "other" } : entry;
    if (inner !== null) levels.push(inner);
  }
}

/** Opens a folder of the tree, with its first name read; null when it can't be read. */
async function openLevel(root: string, path: string): Promise<Level | null> {
  const folder = join(root, path);
  try {
    if (!(await isStillInTree(folder))) return null;
    const level: Level = { path, names: sortedNames(folder), ready: [] };
    level.ready.push(...(await nextEntries(root, level)));
    return level;
  } catch (thrown) {
    // Closed, gone, or with a path too long for the system: the entry says so. Other errors are faults of this program.
    if (systemCode(thrown) === null) throw thrown;
    return null;
  }
}

/** A folder, or one above it, may have become a link since it was looked at, and would then lead out of the tree. */
async function isStillInTree(folder: string): Promise<boolean> {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    return await isOpenAt(handle, folder);
  } finally {
    await handle.close();
  }
}

async function nextEntries(root: string, level: Level): Promise<readonly TreeEntry[]> {
  for (;;) {
    const names: string[] = [];
    while (names.length < BATCH) {
      const next = await level.names.next();
      if (next.done === true) break;
      names.push(next.value);
    }
    if (names.length === 0) return [];
    const entries = await Promise.all(
      names.map((name) => entryOf(root, level.path === "" ? name : `${level.path}/${name}`)),
    );
    const found = entries.filter((entry) => entry !== null);
    if (found.length > 0) return found;
  }
}

async function entryOf(root: string, path: string): Promise<TreeEntry | null> {
  try {
    const stat = await lstat(join(root, path));
    return { path, kind: kindOf(stat), size: stat.size };
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === null) throw thrown;
    // A name that is no UTF-8 can't be asked for again, and is there all the same.
    const isGone = code === "ENOENT" && !path.includes("\uFFFD");
    return isGone ? null : { path, kind: "other", size: 0 };
  }
}

function kindOf(stat: Stats): TreeEntry["kind"] {
  if (stat.isFile()) return "file";
  if (stat.isDirectory()) return "folder";
  return stat.isSymbolicLink() ? "link" : "other";
}

async function readInTree(root: string, path: string, maxBytes: number): Promise<Result<FileContent>> {
  const inner = normalize(path);
  if (isAbsolute(inner) || inner === ".." || inner.startsWith("../")) {
    const error = unusable(path, "lies outside the tree", "Name a path below the tree.", { code: "path_outside" });
    return { ok: false, error };
  }
  const real = join(root, inner);
  const followed = await resolvePath(real, root);
  if (!followed.ok) return followed;
  if (followed.value.real !== real) {
    const error = unusable(path, "goes through a link, and a tree follows none", "Read the file it leads to.", {
      code: "path_outside",
    });
    return { ok: false, error };
  }
  return readRealFile(real, path, maxBytes);
}
