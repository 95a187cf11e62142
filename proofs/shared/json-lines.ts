import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** Adds a value as one line, at once: what was noted before a kill is there after it. */
export function note(file: string, value: unknown): void {
  appendFileSync(file, `${JSON.stringify(value)}\n`);
}

/** The values of a file of {@link note}; none when there is no such file. */
export function notes<T>(file: string): readonly T[] {
  return lines(file).map((line): T => JSON.parse(line));
}

/** The lines of a text file; none when there is no such file. */
export function lines(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, "utf8");
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}
