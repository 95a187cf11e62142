import { accessSync, constants, statSync } from "node:fs";
import { resolve } from "node:path";
import { fail, ok, type Result } from "rein";

/** The absolute path of the folder an agent works in; `invalid_option` when there is no such folder. */
export function workspaceFolder(given: string): Result<string> {
  const folder = resolve(given);
  const hint = "Give --cwd a folder that is there and can be read.";
  if (given === "" || given.includes("\0")) return fail("invalid_option", "--cwd is no path.", hint);
  try {
    if (!statSync(folder).isDirectory()) return fail("invalid_option", `${folder} is not a folder.`, hint);
    accessSync(folder, constants.R_OK | constants.X_OK);
    return ok(folder);
  } catch (cause) {
    const missing = cause instanceof Error && "code" in cause && (cause.code === "ENOENT" || cause.code === "ENOTDIR");
    const what = missing ? "There is no folder" : "No permission to use the folder";
    return fail("invalid_option", `${what} ${folder}.`, hint, { cause });
  }
}
