import { constants, type FileHandle, open } from "node:fs/promises";
import { ok, type Result } from "../core/errors.ts";
import type { FileContent } from "../core/ports.ts";
import { isOpenAt } from "./is-open-at.ts";
import { leadsElsewhere, pathError, unusable } from "./path-error.ts";

const CHUNK_BYTES = 65_536;

/**
 * Reads up to `maxBytes` of the regular file at a real path. `named` is the path as the caller knows it. Nothing is read
 * when the open file is not the one at `real`, because a link has come into its way.
 */
export async function readRealFile(real: string, named: string, maxBytes: number): Promise<Result<FileContent>> {
  let file: FileHandle;
  try {
    // Non-blocking: to open a named pipe would wait for a writer for ever.
    file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (thrown) {
    return { ok: false, error: pathError(named, thrown) };
  }
  try {
    return await readOpen(file, real, named, maxBytes);
  } catch (thrown) {
    return { ok: false, error: pathError(named, thrown) };
  } finally {
    await file.close();
  }
}

async function readOpen(file: FileHandle, real: string, named: string, most: number): Promise<Result<FileContent>> {
  const stat = await file.stat();
  if (stat.isDirectory()) {
    return { ok: false, error: unusable(named, "is a folder", "Name a file in it, or list the folder.") };
  }
  if (!stat.isFile()) return { ok: false, error: unusable(named, "is not a regular file", "Name a regular file.") };
  if (!(await isOpenAt(file, real))) return { ok: false, error: leadsElsewhere(named) };

  const bytes = await readUpTo(file, most, stat.size);
  // Files of /proc say 0 and hold more.
  return ok({ bytes, size: Math.max(stat.size, bytes.length) });
}

async function readUpTo(file: FileHandle, most: number, size: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let total = 0;
  while (total < most) {
    // One byte more than the file says it has: then a first read that ends short is also the last.
    const wanted = Math.min(most - total, Math.max(size + 1 - total, CHUNK_BYTES));
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, total);
    if (bytesRead === 0) break;
    chunks.push(buffer.subarray(0, bytesRead));
    total += bytesRead;
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}
