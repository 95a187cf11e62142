import { accessSync, constants, createReadStream, statSync } from "node:fs";
import { fail, ok, type Result } from "rein";

/** The bytes of a file that an argument names; `invalid_option` when there is no such file. */
export function readableFile(path: string): Result<AsyncIterable<Uint8Array>> {
  const hint = "Give the path of a file that `rein export` has written.";
  try {
    if (!statSync(path).isFile()) return fail("invalid_option", `${path} is not a file.`, hint);
    accessSync(path, constants.R_OK);
    return ok(createReadStream(path));
  } catch (cause) {
    const isMissing =
      cause instanceof Error && "code" in cause && (cause.code === "ENOENT" || cause.code === "ENOTDIR");
    return fail("invalid_option", isMissing ? `There is no file ${path}.` : `${path} can't be read.`, hint, { cause });
  }
}
