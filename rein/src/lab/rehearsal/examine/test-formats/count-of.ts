/** The first group of the first line that matches, as a number. */
export function countOf(lines: readonly string[], pattern: RegExp): number | undefined {
  for (const line of lines) {
    const found = pattern.exec(line)?.[1];
    if (found !== undefined) return Number(found);
  }
  return undefined;
}

/** `{ passed, failed }` without the ones that are not known. */
export function counts(
  passed: number | undefined,
  failed: number | undefined,
): { readonly passed?: number; readonly failed?: number } {
  return { ...(passed === undefined ? {} : { passed }), ...(failed === undefined ? {} : { failed }) };
}
