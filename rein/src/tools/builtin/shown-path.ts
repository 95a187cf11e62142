import { isAbsolute, relative, resolve } from "node:path";

/** A path as the model is told it: relative to the workspace where it lies inside, else absolute. */
export function shownPath(folder: string, path: string): string {
  const inside = relative(folder, resolve(folder, path));
  if (inside === "") return ".";
  return inside === ".." || inside.startsWith("../") || isAbsolute(inside) ? resolve(folder, path) : inside;
}

/** A name for one line of a result: one with control characters, such as a line break, is shown as JSON. */
export function onOneLine(path: string): string {
  return /\p{Cc}/u.test(path) ? JSON.stringify(path) : path;
}
