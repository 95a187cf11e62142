/** Control characters, which could steer the reader's terminal; not the line break. */
const CONTROL = /[\p{Cc}\p{Bidi_Control}]/gu;

/** A text as one line of at most `most` characters, with nothing in it that steers a terminal. */
export function oneLine(text: string, most = 120): string {
  const line = text.replace(/\s+/g, " ").replace(CONTROL, "\ufffd").trim();
  return line.length <= most ? line : `${[...line].slice(0, most - 1).join("")}…`;
}

/** A text of several lines with nothing in it that steers a terminal. */
export function plainText(text: string): string {
  return text.replace(CONTROL, (character) => (character === "\n" || character === "\t" ? character : "\ufffd"));
}
