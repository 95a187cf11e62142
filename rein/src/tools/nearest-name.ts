/** Least similarity at which a name is suggested. Source: `nearest tool name`, docs/architecture.md. */
const LEAST_SIMILARITY = 0.6;

// Names are at most 64 long; a longer one comes from a confused model and need not be looked at whole.
const MOST_LENGTH = 100;

/** The one name most like the given one, by edit distance without regard to case; undefined when none is like enough. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const wanted = name.trim().slice(0, MOST_LENGTH).toLowerCase();
  let best: string | undefined;
  let bestSimilarity = LEAST_SIMILARITY;
  for (const candidate of names) {
    const length = Math.max(wanted.length, candidate.length);
    const similarity = length === 0 ? 0 : 1 - distance(wanted, candidate.toLowerCase()) / length;
    if (similarity > bestSimilarity || (similarity === bestSimilarity && best === undefined)) {
      best = candidate;
      bestSimilarity = similarity;
    }
  }
  return best;
}

/** Levenshtein distance, one row at a time. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
