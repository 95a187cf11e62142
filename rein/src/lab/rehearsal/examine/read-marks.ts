/** A line that holds a mark. */
export interface Mark {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** What a search found. */
export interface Marks {
  readonly marks: readonly Mark[];
  /** Matches there are in all, as the tool counted them. */
  readonly total: number;
  /** The tool left matches or files out. */
  readonly cut: boolean;
}

const MATCH = /^(?<path>.+?):(?<line>\d+): (?<text>.*)$/u;
const TOTAL = /^(?<total>\d+) matching lines? in \d+ files?/;
const CUT =
  /^\[(?:\d+ more match(?: is|es are) left out|Stopped before|Of \d+ large files|The result has \d+ bytes|Could not be read|The pattern took)/;

/** Reads a result of the tool `search`. */
export function readMarks(text: string): Marks {
  const marks: Mark[] = [];
  let total = 0;
  let cut = false;
  for (const line of text.split("\n")) {
    const found = MATCH.exec(line)?.groups;
    if (CUT.test(line)) cut = true;
    else if (found !== undefined)
      marks.push({ path: found.path ?? "", line: Number(found.line), text: (found.text ?? "").trim() });
    else total = Number(TOTAL.exec(line)?.groups?.total ?? total);
  }
  return { marks, total: Math.max(total, marks.length), cut };
}
