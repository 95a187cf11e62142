import { opendir } from "node:fs/promises";

/** Names kept in memory at once, of one folder; twice as many while they are gathered. */
const PAGE = 10_000;

/**
 * The names in a folder, sorted by their UTF-16 units, with bounded memory: a folder with more names than a page is read
 * once for each page, and only the names that come next are kept.
 */
export async function* sortedNames(folder: string, page = PAGE): AsyncGenerator<string> {
  let after: string | null = null;
  for (;;) {
    const names: readonly string[] = await nextNames(folder, after, page);
    yield* names;
    const last = names.at(-1);
    if (names.length < page || last === undefined) return;
    after = last;
  }
}

async function nextNames(folder: string, after: string | null, page: number): Promise<readonly string[]> {
  const smallest: string[] = [];
  const keep = (): void => {
    smallest.sort();
    smallest.length = Math.min(smallest.length, page);
  };
  for await (const { name } of await opendir(folder, { bufferSize: 512 })) {
    if (after !== null && name <= after) continue;
    smallest.push(name);
    if (smallest.length >= page * 2) keep();
  }
  keep();
  return smallest;
}
