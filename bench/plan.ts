/** How much is measured. */
export interface Plan {
  /** Alternating runs of each thing. */
  readonly rounds: number;
  /** Starts of each process whose wall clock counts. */
  readonly starts: number;
  /** Divides turns and sizes: 1 for the figures, more for a look whether everything runs. */
  readonly less: number;
}

/** What the bars are judged by. */
export const FULL: Plan = { rounds: 5, starts: 15, less: 1 };

/** Whether everything runs. */
export const QUICK: Plan = { rounds: 1, starts: 1, less: 20 };
