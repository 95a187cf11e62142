import { type ErrorCode, type ReinError, reinError, textOfThrown } from "../core/errors.ts";

/** What one error of the system means for a path: what happened and what to do. */
const MEANINGS: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  ENOENT: ["does not exist", "Check the path; list the folder to see what is there."],
  ENOTDIR: ["goes through something that is not a folder", "Check the path; list the folder to see what is there."],
  EISDIR: ["is a folder", "Name a file in it, or list the folder."],
  EACCES: ["may not be accessed: permission denied", "Use another path, or have the person change the permissions."],
  EPERM: ["may not be accessed: operation not permitted", "Use another path, or have the person change it."],
  EROFS: ["lies on a read-only file system", "Use a path on another file system."],
  ENOSPC: ["can't be written: no space is left on the device", "Free some space, then try again."],
  EDQUOT: ["can't be written: the disk quota is used up", "Free some space, then try again."],
  EFBIG: ["can't be written: the file would be too large", "Write less at once."],
  ELOOP: ["goes through too many links, or a loop of them", "Name the file itself instead of the link."],
  ENAMETOOLONG: ["is too long for the file system", "Use shorter names."],
  EMFILE: ["can't be opened: too many files are open", "Try again when other work is done."],
  ENFILE: ["can't be opened: too many files are open", "Try again when other work is done."],
  ENXIO: ["is not a file that can be opened", "Name a regular file."],
  EBUSY: ["is in use", "Try again later."],
  EIO: ["can't be accessed: input/output error", "The disk may be failing: use another one."],
};

/** Turns an error of the file system into an error value; `path` is shown as the reader knows it. */
export function pathError(path: string, thrown: unknown): ReinError {
  const code = systemCode(thrown);
  const meaning = code !== null && Object.hasOwn(MEANINGS, code) ? MEANINGS[code] : undefined;
  if (meaning === undefined) {
    return unusable(path, `can't be used: ${textOfThrown(thrown)}`, "Check the path.", { cause: thrown });
  }
  return unusable(path, meaning[0], meaning[1], { cause: thrown });
}

/** A `path_unusable` (or another code) that says what is wrong with a path. */
export function unusable(
  path: string,
  what: string,
  hint: string,
  more: { readonly cause?: unknown; readonly code?: ErrorCode } = {},
): ReinError {
  const { code = "path_unusable", ...rest } = more;
  return reinError(code, `${shown(path)} ${what}.`, hint, rest);
}

/** A `path_outside`: links were put in its way between the judgement and the act. */
export function leadsElsewhere(path: string): ReinError {
  return unusable(path, "leads elsewhere than when it was judged", "Make the call again.", { code: "path_outside" });
}

/** The code of a system error such as `ENOENT`, or null. */
export function systemCode(thrown: unknown): string | null {
  if (!(thrown instanceof Error) || !("code" in thrown)) return null;
  return typeof thrown.code === "string" ? thrown.code : null;
}

const MOST_SHOWN = 200;

/** Control characters would garble the reader's screen; an endless name would fill it. */
function shown(path: string): string {
  const short = path.length <= MOST_SHOWN ? path : `${path.slice(0, MOST_SHOWN)}…`;
  return /\p{Cc}/u.test(short) ? JSON.stringify(short) : short.toWellFormed();
}
