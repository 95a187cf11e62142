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
  const middle = `${median(samples).toFixed(digits)} ${unit}`;
  if (samples.length === 1) return middle;
  return `${middle} (${Math.min(...samples).toFixed(digits)}–${Math.max(...samples).toFixed(digits)})`;
}

/** What must not be exceeded. */
export interface Bar {
  readonly most: number;
  readonly unit: string;
  /** Digits behind the point; default 0. */
  readonly digits?: number;
}

/** A figure whose median must not be above its bar; `more` is said behind it. */
export function atMost(row: string, what: string, bar: Bar, samples: Samples, ...more: readonly string[]): Figure {
  const { most, unit, digits = 0 } = bar;
  const measured = [spread(samples, unit, digits), ...more].join(", ");
  return { row, what, bar: `≤ ${most} ${unit}`, measured, holds: median(samples) <= most };
}

/** A figure that informs. */
export function informs(row: string, what: string, measured: string): Figure {
  return { row, what, bar: "", measured, holds: null };
}
