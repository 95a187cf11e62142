/** Figures and verdicts. */

/** What was measured of one thing, in the order it was measured. */
export type Samples = readonly number[];

/** One line of the table. */
export interface Figure {
  /** Row of the issue it belongs to. */
  readonly row: string;
  /** What is measured. */
  readonly what: string;
  /** What must hold, in words; empty where the figure only informs. */
  readonly bar: string;
  readonly measured: string;
  /** Null: no verdict. */
  readonly holds: boolean | null;
}

/** The middle of the samples. */
export function median(samples: Samples): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** Median, and between which values all samples lie. */
export function spread(samples: Samples, unit: string, digits = 0): string {
  const low = Math.min(...samples).toFixed(digits);
  const high = Math.max(...samples).toFixed(digits);
  return `${median(samples).toFixed(digits)} ${unit} (${low}–${high})`;
}

/** A figure that must not be above its bar. */
export function atMost(
  row: string,
  what: string,
  bar: number,
  unit: string,
  value: number,
  detail: string,
  digits = 2,
): Figure {
  return {
    row,
    what,
    bar: `≤ ${bar} ${unit}`.trim(),
    measured: `${value.toFixed(digits)}${detail === "" ? "" : `, ${detail}`}`,
    holds: value <= bar,
  };
}

/** A figure that informs. */
export function informs(row: string, what: string, measured: string): Figure {
  return { row, what, bar: "", measured, holds: null };
}
