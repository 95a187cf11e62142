import { isAbsolute, relative, resolve } from "node:path";

/** A path as the model is told it: relative to the workspace where it lies inside, else absolute. */
export function shownPath(folder: string, path: string): string {
  const inside = relative(folder, resolve(folder, path));
  if (inside === "") return ".";
  return inside === ".." || inside.startsWith("../") || isAbsolute(inside) ? resolve(folder, path) : inside;
}
