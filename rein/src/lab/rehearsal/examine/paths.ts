/** Paths here are relative to the examined folder, with `/`. */

/** The last part of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** All but the last part; empty at the top. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

/** What follows the last dot of the name, in lower case; empty when there is none, as in `.gitignore`. */
export function extensionOf(path: string): string {
  const name = baseName(path);
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? "" : name.slice(dot + 1).toLowerCase();
}

/** How many folders a path lies below the top. */
export function depthOf(path: string): number {
  return path.split("/").length - 1;
}

/** Joins and tidies `.` and `..`; undefined when it leads out of the folder. */
export function joinPath(folder: string, path: string): string | undefined {
  const parts: string[] = folder === "" ? [] : folder.split("/");
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}
