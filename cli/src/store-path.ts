import { isAbsolute, join } from "node:path";
import { fail, ok, type Result } from "rein";

/** Where the command looks for its store. */
export interface StorePlaces {
  /** `--store`. */
  readonly given?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Throws where there is no home folder. */
  readonly home: () => string;
}

const FILE = "sessions.db";

/**
 * The file in which sessions are kept: `--store`, else `sessions.db` in `$REIN_HOME`, else in the folder that the system has
 * for a user's data. Source of the last: the XDG base directory specification (a relative `XDG_DATA_HOME` is to be ignored);
 * the customs of macOS and Windows.
 */
export function storePath({ given, env, platform, home }: StorePlaces): Result<string> {
  if (given !== undefined) return ok(given);
  if (isSet(env.REIN_HOME)) return ok(join(env.REIN_HOME, FILE));
  if (platform === "win32" && isSet(env.LOCALAPPDATA)) return ok(join(env.LOCALAPPDATA, "rein", FILE));
  if (platform !== "win32" && platform !== "darwin" && isSet(env.XDG_DATA_HOME) && isAbsolute(env.XDG_DATA_HOME)) {
    return ok(join(env.XDG_DATA_HOME, "rein", FILE));
  }
  const folder = homeFolder(home);
  if (folder === null) {
    return fail(
      "path_unusable",
      "This user has no home folder, so there is no place for sessions.",
      "Set REIN_HOME to a folder, or give --store PATH.",
    );
  }
  if (platform === "win32") return ok(join(folder, "AppData", "Local", "rein", FILE));
  if (platform === "darwin") return ok(join(folder, "Library", "Application Support", "rein", FILE));
  return ok(join(folder, ".local", "share", "rein", FILE));
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== "";
}

function homeFolder(home: () => string): string | null {
  try {
    const folder = home();
    return isAbsolute(folder) ? folder : null;
  } catch {
    // Node throws where the system knows no home; what to do about it is the same.
    return null;
  }
}
