import { isAbsolute, join, relative } from "node:path";
import picomatch from "picomatch";
import type { PathPattern } from "./rule.ts";

/** The folders a pattern may start from. For an allow they are real paths. */
export type Anchors = Readonly<Record<PathPattern["anchor"], string>>;

/** What an allow without a pattern covers. */
export const WHOLE_WORKSPACE: PathPattern = { anchor: "workspace", base: "", glob: "**", floating: false };

/** The folder (or file) at which a pattern's literal part ends. */
export function patternBase(pattern: PathPattern, anchors: Anchors): string {
  return join(anchors[pattern.anchor], pattern.base);
}

/**
 * Whether an allow with this pattern covers a real path. Read narrowly: from the anchor only, upper and lower case
 * differ, and a name that starts with a dot needs a pattern that says so. A tree is covered only when all of it is.
 */
export function allowCovers(pattern: PathPattern, anchors: Anchors, real: string, isTree: boolean): boolean {
  const rest = below(patternBase(pattern, anchors), real);
  if (rest === null) return false;
  if (isTree) return pattern.glob === "**";
  if (pattern.glob === "") return rest === "";
  return compile(pattern.glob, NARROW)(rest);
}

/**
 * Whether a deny with this pattern touches a path. Read widely: what lies below a match is denied too, case does not
 * count, names with a dot are meant, a pattern without a folder holds at any depth, and a tree is denied when a match
 * could lie in it. `bases` are the places its literal part stands for: as written, and where a link leads.
 */
export function denyTouches(pattern: PathPattern, bases: readonly string[], path: string, isTree: boolean): boolean {
  const folded = fold(path);
  return bases.map(fold).some((base) => {
    if (pattern.floating) return floatingTouches(pattern, base, folded, isTree);
    if (isTree && below(folded, base) !== null) return true;
    const rest = below(base, folded);
    if (rest === null) return false;
    if (pattern.glob === "" || pattern.glob === "**") return true;
    // Whether something below a folder would match can't be said from its name: it could.
    return isTree || compile(pattern.glob, WIDE)(rest);
  });
}

/** The bases of a floating pattern hold no part of it: they are the anchor. */
function floatingTouches(pattern: PathPattern, base: string, path: string, isTree: boolean): boolean {
  if (isTree && (below(base, path) !== null || below(path, base) !== null)) return true;
  const rest = below(base, path);
  if (rest === null || rest === "") return false;
  const name = compile(pattern.glob === "" ? pattern.base : pattern.glob, WIDE);
  return rest.split("/").some((segment) => name(segment));
}

/** The path relative to `folder`, empty for the folder itself; null when it lies outside. */
export function below(folder: string, path: string): string | null {
  const rest = relative(folder, path);
  return rest === ".." || rest.startsWith("../") || isAbsolute(rest) ? null : rest;
}

/** Upper and lower case are one: some file systems hold them so. */
function fold(path: string): string {
  return path.toLowerCase();
}

type Matcher = (text: string) => boolean;

const COMMON = { nonegate: true, noextglob: true } as const;
const NARROW = { reading: "narrow", options: { ...COMMON, dot: false } } as const;
// `s`: without it a line break in a name would let it pass a deny.
const WIDE = { reading: "wide", options: { ...COMMON, dot: true, nocase: true, flags: "is" } } as const;

const compiled = new Map<string, Matcher>();
const MOST_COMPILED = 1_000;

function compile(glob: string, mode: typeof NARROW | typeof WIDE): Matcher {
  const key = `${mode.reading} ${glob}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const globs = mode.reading === "wide" ? [glob, `${glob}/**`] : glob;
  const matcher = picomatch(globs, mode.options);
  if (compiled.size >= MOST_COMPILED) compiled.clear();
  compiled.set(key, matcher);
  return matcher;
}
