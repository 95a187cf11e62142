/** Text that every provider takes, and what was changed for it. */
export interface WellFormed {
  readonly text: string;
  readonly nuls: number;
  readonly surrogates: number;
}

/**
 * Makes text from outside fit for a request: NUL becomes the symbol `␀` (U+2400), a lone surrogate becomes `�` (U+FFFD).
 * Everything else, other control characters too, stays. Whoever shows the text says what was changed: {@link wellFormedNote}.
 */
export function wellFormed(text: string): WellFormed {
  const nuls = text.includes("\0") ? count(text, /\0/g) : 0;
  const surrogates = text.isWellFormed() ? 0 : count(text, /\p{Surrogate}/gu);
  if (nuls === 0 && surrogates === 0) return { text, nuls, surrogates };
  return { text: text.toWellFormed().replaceAll("\0", "\u2400"), nuls, surrogates };
}

/** Says once what {@link wellFormed} changed; empty when nothing. */
export function wellFormedNote(changed: Pick<WellFormed, "nuls" | "surrogates">): string {
  const parts: string[] = [];
  if (changed.nuls > 0) parts.push(`${changed.nuls} NUL shown as \u2400`);
  if (changed.surrogates > 0) parts.push(`${changed.surrogates} lone surrogate replaced by \ufffd`);
  return parts.length === 0 ? "" : `[Not valid text as it came: ${parts.join(", ")}.]`;
}

function count(text: string, pattern: RegExp): number {
  let found = 0;
  for (const _ of text.matchAll(pattern)) found += 1;
  return found;
}
