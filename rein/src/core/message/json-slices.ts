/** Finds where values stand in JSON text, for those that must be kept as they were written. The text must be valid JSON. */

/** The texts of the elements of an array that is a member of the outermost object; the last member of that name counts. */
export function elementTexts(text: string, member: string): readonly string[] {
  let elements: readonly string[] = [];
  let at = skipSpace(text, skipSpace(text, 0) + 1);
  while (text[at] !== "}") {
    const keyEnd = endOfString(text, at);
    const name: unknown = JSON.parse(text.slice(at, keyEnd));
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = endOfValue(text, start);
    if (name === member) elements = elementsOf(text, start);
    at = skipSpace(text, end);
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return elements;
}

function elementsOf(text: string, open: number): readonly string[] {
  const elements: string[] = [];
  let at = skipSpace(text, open + 1);
  while (text[at] !== "]") {
    const end = endOfValue(text, at);
    elements.push(text.slice(at, end));
    at = skipSpace(text, end);
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return elements;
}

const SPACE = /[ \t\n\r]*/y;
const SCALAR = /[^,\]} \t\n\r]*/y;
/** What can open, close or hide a bracket. */
const MARK = /["[\]{}]/g;

function endOfValue(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start);
  if (text[start] !== "{" && text[start] !== "[") return endOf(SCALAR, text, start);
  let depth = 0;
  for (let at = start; ; ) {
    MARK.lastIndex = at;
    const mark = MARK.exec(text);
    if (mark === null) return text.length;
    at = mark[0] === '"' ? endOfString(text, mark.index) : mark.index + 1;
    if (mark[0] === "{" || mark[0] === "[") depth += 1;
    if (mark[0] === "}" || mark[0] === "]") depth -= 1;
    if (depth === 0) return at;
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function skipSpace(text: string, at: number): number {
  return endOf(SPACE, text, at);
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return pattern.lastIndex;
}
