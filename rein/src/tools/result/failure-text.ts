/** What went wrong in a call, as the model is told. */
export interface Failure {
  /** An error code of Rein, or the tool's own word. */
  readonly type: string;
  readonly message: string;
  /** What to try next. */
  readonly hint: string;
}

/** The text of a failed call (R2.1): it names the tool, the type of error, what happened and what to try. */
export function failureText(tool: string, failure: Failure): string {
  return `${tool} failed (${failure.type}): ${failure.message}\nWhat to try: ${failure.hint}`;
}
