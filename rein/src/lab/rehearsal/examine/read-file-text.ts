import { clip } from "../clip.ts";

/** Lines of a file, by number from 1. */
export interface FileText {
  readonly lines: ReadonlyMap<number, string>;
  /** There is more of the file than was shown. */
  readonly cut: boolean;
}

/** UTF-16 units shown of a line. */
const MOST_UNITS = 160;
const NUMBERED = /^ *(?<number>\d+)\t(?<text>.*)$/u;
const CUT =
  /^\[(?:Lines \d+ to \d+ of \d+;|The result has \d+ bytes; \d+ of them are left out|The file has \d+ bytes; only)/;

/** Reads a result of the tool `read`. */
export function readFileText(result: string): FileText {
  const lines = new Map<number, string>();
  let cut = false;
  for (const line of result.split("\n")) {
    const found = NUMBERED.exec(line)?.groups;
    if (found !== undefined) lines.set(Number(found.number), found.text ?? "");
    else if (CUT.test(line)) cut = true;
  }
  return { lines, cut };
}

/** The text as one. */
export function wholeText({ lines }: FileText): string {
  return [...lines.values()].join("\n");
}

/** The lines around one, each with its number; the one itself is marked. */
export function excerptAround({ lines }: FileText, line: number, around: number): string {
  const shown: string[] = [];
  for (let number = Math.max(1, line - around); number <= line + around; number += 1) {
    const text = lines.get(number);
    if (text === undefined) continue;
    shown.push(`${number === line ? ">" : " "} ${String(number).padStart(4)} | ${clip(text, MOST_UNITS)}`.trimEnd());
  }
  return shown.join("\n");
}
