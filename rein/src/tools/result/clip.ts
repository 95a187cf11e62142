/** The first `most` UTF-16 units of a text, with `…` where something was left off; never cuts through a character. */
export function clip(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, wholeEnd(text, most))}…`;
}

/** The greatest cut ≤ `end` that does not part a surrogate pair. */
export function wholeEnd(text: string, end: number): number {
  return isHigh(text.charCodeAt(end - 1)) && isLow(text.charCodeAt(end)) ? end - 1 : end;
}

/** The smallest cut ≥ `start` that does not part a surrogate pair. */
export function wholeStart(text: string, start: number): number {
  return start > 0 && isLow(text.charCodeAt(start)) && isHigh(text.charCodeAt(start - 1)) ? start + 1 : start;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
