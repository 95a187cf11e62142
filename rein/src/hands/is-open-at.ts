import { type FileHandle, readlink, realpath } from "node:fs/promises";
import { systemCode } from "./path-error.ts";

/**
 * Whether an open file or folder is the one at the real path `real`: a link that was put in the way after the path had been
 * followed shows here.
 */
export async function isOpenAt(file: FileHandle, real: string): Promise<boolean> {
  try {
    const opened = await readlink(`/proc/self/fd/${file.fd}`);
    // A writer may have renamed a new version into its place meanwhile.
    return opened === real || opened === `${real} (deleted)`;
  } catch (thrown) {
    if (systemCode(thrown) !== "ENOENT") throw thrown;
    // No /proc here: the path itself is all there is to look at.
    return (await realpath(real)) === real;
  }
}
