import { InvalidArgumentError } from "commander";

/** A parser of whole numbers from `least` to `most`. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!Number.isSafeInteger(value) || value < least || value > most) {
      const end = most === Number.MAX_SAFE_INTEGER ? "on" : `to ${most}`;
      throw new InvalidArgumentError(`Give a whole number from ${least} ${end}.`);
    }
    return value;
  };
}

/** A parser of an option that may be given several times. */
export function repeated(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text];
}

/** A parser of ids for new sessions: short enough to type, and a name in any shell and file system. */
export function newSessionId(text: string): string {
  if (/^[A-Za-z0-9][\w.-]{0,63}$/.test(text)) return text;
  throw new InvalidArgumentError("Give up to 64 letters, digits, _, . and -, the first a letter or digit.");
}
