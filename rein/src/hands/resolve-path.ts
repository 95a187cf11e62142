import { lstat, readlink, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { ok, type ReinError, type Result, reinError } from "../core/errors.ts";
import { leadsElsewhere, pathError, systemCode, unusable } from "./path-error.ts";

/** As many links as Linux follows in one path. */
const MOST_LINKS = 40;

/**
 * The real path of `path`, which may be relative to `folder`: steps like `..` are taken out first, then every link is
 * followed, dangling ones too. What does not exist yet keeps its names below the real path of its nearest existing
 * folder. All of hands opens paths by this rule, so what was judged is what is opened.
 *
 * Errors: `path_unusable` for a NUL byte, a loop of links, a file where a folder should be, no permission to look.
 */
export async function resolvePath(path: string, folder: string): Promise<Result<{ readonly real: string }>> {
  const fault = faultOfText(path);
  if (fault !== null) return { ok: false, error: fault };
  try {
    return ok({ real: await follow(resolve(folder, path), { left: MOST_LINKS }) });
  } catch (thrown) {
    return { ok: false, error: pathError(path, thrown) };
  }
}

/**
 * The real path of an effect, now that it is carried out: `path_outside` when it is not the one that was judged.
 * `judged` is absent where a permit was minted without one.
 */
export async function resolveJudged(
  path: string,
  judged: string | undefined,
): Promise<Result<{ readonly real: string }>> {
  if (!isAbsolute(path)) {
    return { ok: false, error: unusable(path, "is not an absolute path", "Declare effects with absolute paths.") };
  }
  const now = await resolvePath(path, "/");
  if (!now.ok || judged === undefined || now.value.real === judged) return now;
  return { ok: false, error: leadsElsewhere(path) };
}

function faultOfText(path: string): ReinError | null {
  if (path === "") return reinError("path_unusable", "The path is empty.", "Name a file or folder.");
  if (path.includes("\0")) return unusable(path, "holds a NUL byte", "Leave the NUL byte out.");
  if (!path.isWellFormed()) return unusable(path, "is not valid Unicode", "Write the name with whole characters.");
  return null;
}

async function follow(path: string, links: { left: number }): Promise<string> {
  // What does not exist is peeled off from the end until something is found that does.
  const missing: string[] = [];
  let existing = path;
  for (;;) {
    try {
      return join(await realpath(existing), ...missing);
    } catch (thrown) {
      if (systemCode(thrown) !== "ENOENT") throw thrown;
      const target = await danglingTarget(existing);
      if (target !== null) {
        links.left -= 1;
        if (links.left < 0) throw Object.assign(new Error("too many links"), { code: "ELOOP" });
        return follow(join(target, ...missing), links);
      }
      const parent = dirname(existing);
      if (parent === existing) throw thrown;
      missing.unshift(basename(existing));
      existing = parent;
    }
  }
}

/** Where a link leads whose target does not exist; null when `path` is no link. */
async function danglingTarget(path: string): Promise<string | null> {
  try {
    if (!(await lstat(path)).isSymbolicLink()) return null;
  } catch (thrown) {
    if (systemCode(thrown) === "ENOENT") return null;
    throw thrown;
  }
  return resolve(await realpath(dirname(path)), await readlink(path));
}
