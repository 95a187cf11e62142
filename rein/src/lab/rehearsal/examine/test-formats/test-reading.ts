/** A place in a file, as a test runner prints it: the path may be absolute or lack its folder. */
export interface Place {
  readonly file: string;
  /** From 1. */
  readonly line?: number;
}

/** A failing test. */
export interface FailingTest {
  readonly name: string;
  readonly places: readonly Place[];
  /** What the runner says of it. */
  readonly message: string;
}

/** What the output of a test run says. Counts are there when the runner prints them. */
export interface TestReading {
  readonly runner: string;
  readonly passed?: number;
  readonly failed?: number;
  readonly failures: readonly FailingTest[];
}

/** Reads the output of one test runner: undefined when it is not its output. Lines come without colours. */
export type TestFormat = (lines: readonly string[]) => TestReading | undefined;
