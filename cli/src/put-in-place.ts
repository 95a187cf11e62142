import { closeSync, linkSync, openSync, renameSync } from "node:fs";

/** What a file system without hard links says. */
const NO_LINKS: readonly unknown[] = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

/**
 * Gives a finished file its name, and never takes the place of another: that throws `EEXIST`. Without hard links the name is claimed
 * by an empty file first, so that for a moment it stands for that. The file may still be there under its first name too.
 */
export function putInPlace(beside: string, path: string, link: typeof linkSync = linkSync): void {
  try {
    link(beside, path);
  } catch (thrown) {
    if (!(thrown instanceof Error && "code" in thrown && NO_LINKS.includes(thrown.code))) throw thrown;
    closeSync(openSync(path, "wx", 0o600));
    renameSync(beside, path);
  }
}
