import { InvalidArgumentError } from "commander";

/** A parser of whole numbers from `least` on. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!Number.isSafeInteger(value) || value < least) {
      throw new InvalidArgumentError(`Give a whole number from ${least} on.`);
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
