import type { Secret } from "./secret-values.ts";

/** Shorter pieces of base64 would be found in ordinary text. */
const LEAST_ENCODED = 10;

/** Every spelling in which a secret is looked for, with its mark. The first of two secrets that spell alike names it. */
export function secretSpellings(secrets: readonly Secret[]): ReadonlyMap<string, string> {
  const spellings = new Map<string, string>();
  for (const { name, value } of secrets) {
    const mark = `[secret:${name.replace(/[^A-Za-z0-9_.-]/g, "_")}]`;
    for (const spelling of spellingsOf(value)) {
      if (!spellings.has(spelling)) spellings.set(spelling, mark);
    }
  }
  return spellings;
}

function spellingsOf(value: string): readonly string[] {
  const wellFormed = value.toWellFormed();
  const url = encodeURIComponent(wellFormed);
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    url,
    url.replace(/%20/g, "+"),
    url.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    ...base64Of(wellFormed),
  ];
}

/**
 * Base64 of the value wherever it begins in the encoded text (as in `user:password`): of each of the three alignments,
 * the characters that depend on nothing but the value.
 */
function base64Of(value: string): readonly string[] {
  const bytes = Buffer.from(value, "utf8");
  const pieces = [bytes.toString("base64"), bytes.toString("base64url")];
  for (const before of [0, 1, 2]) {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]);
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor((encoded.length * 8) / 6);
    pieces.push(encoded.toString("base64").slice(first, last), encoded.toString("base64url").slice(first, last));
  }
  return pieces.filter((piece) => piece.length >= LEAST_ENCODED);
}
