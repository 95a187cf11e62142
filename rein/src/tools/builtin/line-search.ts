import { clip, wholeStart } from "../result/clip.ts";

/** A line that matched. */
export interface Match {
  readonly line: number;
  readonly text: string;
}

/** Searches a text line by line; `null` when the pattern took too long on it. */
export type LineSearch = (text: string) => readonly Match[] | null;

/** A search, and whether the pattern was taken as plain text because it is no regular expression. */
export interface CompiledSearch {
  readonly search: LineSearch;
  readonly literal: boolean;
}

/** Milliseconds a pattern may spend on one text. */
const TIME_OF_A_TEXT = 500;
const SHOWN_LENGTH = 300;
const SHOWN_BEFORE = 80;

/**
 * Makes the search for a JavaScript regular expression, or for the text itself where it is none. `(?i)` at its beginning
 * makes it case-insensitive, as in other languages. A pattern may
 * backtrack for years on a short line, and nothing in the language stops it; a script's time-out does.
 */
export function compileSearch(pattern: string): CompiledSearch {
  const compiled = compile(pattern);
  const literal = compiled === undefined;
  const expression = compiled ?? new RegExp(pattern.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const job = { text: "", found: [] as Match[] };
  // Loaded with the first search: most agents make none.
  const { createContext, Script } = process.getBuiltinModule("node:vm");
  const sandbox = createContext({ run: () => searchLines(expression, job.text, job.found) });
  const script = new Script("run()");
  return {
    literal,
    search(text) {
      job.text = text;
      job.found = [];
      try {
        script.runInContext(sandbox, { timeout: TIME_OF_A_TEXT });
        return job.found;
      } catch (thrown) {
        if (isTimeout(thrown)) return null;
        throw thrown;
      }
    },
  };
}

/** The error belongs to the script's world, whose `Error` is not ours. */
function isTimeout(thrown: unknown): boolean {
  return (
    typeof thrown === "object" && thrown !== null && "code" in thrown && thrown.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
  );
}

function compile(pattern: string): RegExp | undefined {
  const anyCase = pattern.startsWith("(?i)");
  try {
    return anyCase ? new RegExp(pattern.slice(4), "i") : new RegExp(pattern);
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined;
    throw thrown;
  }
}

function searchLines(expression: RegExp, text: string, found: Match[]): void {
  let line = 0;
  for (let start = 0; start <= text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    line += 1;
    const content = text.slice(start, text[end - 1] === "\r" && end > start ? end - 1 : end);
    // What follows the last newline is a line only if there is something in it.
    if (newline !== -1 || content !== "" || start === 0) {
      const match = expression.exec(content);
      if (match !== null) found.push({ line, text: around(content, match.index) });
    }
    start = end + 1;
  }
}

/** The line, or of a long one the part where it matched. */
function around(line: string, index: number): string {
  if (line.length <= SHOWN_LENGTH) return line;
  const start = wholeStart(line, Math.max(0, index - SHOWN_BEFORE));
  return `${start > 0 ? "…" : ""}${clip(line.slice(start), SHOWN_LENGTH)}`;
}
