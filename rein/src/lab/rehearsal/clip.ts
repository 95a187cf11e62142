/** The first `most` UTF-16 units of a text, with `…` where something was left off; never cuts through a character. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const cutsPair = (text.codePointAt(most - 1) ?? 0) > 0xffff;
  return `${text.slice(0, cutsPair ? most - 1 : most)}…`;
}
