import type { Place } from "./test-reading.ts";

// `File "x.py", line 3` · `file:///x/a%20b.js:3:1` · `src/x.rs:3:5` · `./x.go:3`
const PLACE =
  /File "(?<quoted>[^"]+)", line (?<quotedLine>\d+)|(?<scheme>file:\/\/)?(?<path>[^\s:()'"<>|`[\]]+\.[A-Za-z]\w{0,5}):(?<line>\d+)/gu;

/**
 * Places of files that a text names, without repetition, in its order and behind the ones that are known before; those of
 * libraries and of the runtime are left out.
 */
export function placesIn(text: string, before: readonly Place[] = []): readonly Place[] {
  const seen = new Set(before.map(({ file, line }) => `${file}:${line}`));
  const places: Place[] = [...before];
  for (const { groups = {} } of text.matchAll(PLACE)) {
    const file = groups.quoted ?? (groups.scheme === undefined ? groups.path : decoded(groups.path ?? ""));
    const line = Number(groups.quotedLine ?? groups.line);
    if (file === undefined || isForeign(file) || seen.has(`${file}:${line}`)) continue;
    seen.add(`${file}:${line}`);
    places.push({ file, line });
  }
  return places;
}

function isForeign(file: string): boolean {
  return (
    /(?:^|\/)(?:node_modules|site-packages|python3[\d.]*|rustc|\.cargo)\//.test(file) ||
    file.startsWith("node:") ||
    file.startsWith("<")
  );
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    // A `%` that is no escape stands for itself.
    if (error instanceof URIError) return path;
    throw error;
  }
}
