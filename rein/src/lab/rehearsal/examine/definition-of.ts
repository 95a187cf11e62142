import type { FileText } from "./read-file-text.ts";

const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

/** Where something that a line names is defined. */
export interface Definition {
  readonly name: string;
  readonly path: string;
  readonly line: number;
}

/** Definitions, in the given files, of the names that stand in a line of code; the first for each name. */
export function definitionsOf(line: string, files: ReadonlyMap<string, FileText>): readonly Definition[] {
  const names = new Set([...line.matchAll(NAME)].map(([name]) => name));
  return [...names].flatMap((name) => {
    const defines = new RegExp(
      `\\b(?:function\\*?|def|func|fn|class|struct|const|let|var)\\s+(?:\\([^)]*\\)\\s*)?${name.replaceAll("$", "\\$")}(?![\\p{L}\\p{N}_$])`,
      "u",
    );
    for (const [path, { lines }] of files) {
      for (const [number, text] of lines) if (defines.test(text)) return [{ name, path, line: number }];
    }
    return [];
  });
}
