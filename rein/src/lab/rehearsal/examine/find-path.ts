import { joinPath } from "./paths.ts";

/**
 * The listed file that a printed path means: test runners print absolute paths, or paths that lack their folder. The
 * longest listed path that it ends with wins; else the one listed file that ends with it. Where nothing is known of the
 * folder, a relative path is taken at its word. `folder` is where the program that printed it ran.
 */
export function findPath(printed: string, paths: ReadonlySet<string>, folder = ""): string | undefined {
  const path = printed
    .replaceAll("\\", "/")
    .replace(/^file:\/\//, "")
    .replace(/^(?:\.\/)+/, "");
  const inFolder = folder === "" ? undefined : joinPath(folder, path);
  if (inFolder !== undefined && paths.has(inFolder)) return inFolder;
  if (paths.has(path)) return path;
  if (paths.size === 0) return path.startsWith("/") || path.includes("..") ? undefined : path;
  let longest: string | undefined;
  const endingWithIt: string[] = [];
  for (const known of paths) {
    if (path.endsWith(`/${known}`) && known.length > (longest?.length ?? 0)) longest = known;
    if (known.endsWith(`/${path}`)) endingWithIt.push(known);
  }
  return longest ?? (endingWithIt.length === 1 ? endingWithIt[0] : undefined);
}
