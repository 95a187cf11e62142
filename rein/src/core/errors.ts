/**
 * The closed family of errors. Inside Rein an error is a value that travels in a {@link Result}; only the outermost API
 * throws it, wrapped in a {@link ReinFailure}. Each code has a section in `docs/errors.md`.
 */

/** What kind of trouble it is, and so what may be done about it (R3.1). */
export type ErrorClass =
  /** May go away by itself: try again later. */
  | "transient"
  /** The model said something unusable: tell it and ask again. */
  | "model"
  /** Will not go away: use something else or give up. */
  | "permanent"
  /** Something has run out or a person must look: stop and wait. */
  | "resource";

/** Every code there is, with its class. */
export const ERROR_CODES = {
  aborted: "transient",
  store_busy: "transient",
  model_overloaded: "transient",
  model_unreachable: "transient",
  model_timeout: "transient",
  model_rate_limited: "transient",
  model_stream_cut: "transient",
  tool_arguments_invalid: "model",
  tool_unknown: "model",
  tool_denied: "model",
  tool_failed: "model",
  tool_timeout: "model",
  context_overflow: "permanent",
  model_refused: "permanent",
  model_rejected: "permanent",
  model_auth: "permanent",
  model_unknown: "permanent",
  model_protocol: "permanent",
  model_script: "permanent",
  invalid_option: "permanent",
  invalid_command: "permanent",
  invalid_state: "permanent",
  session_unknown: "permanent",
  session_exists: "permanent",
  event_invalid: "permanent",
  version_unknown: "permanent",
  conflict: "permanent",
  lease_lost: "permanent",
  lease_held: "permanent",
  permit_missing: "permanent",
  permit_mismatch: "permanent",
  path_outside: "permanent",
  path_unusable: "permanent",
  process_failed: "permanent",
  store_damaged: "permanent",
  store_unsupported: "permanent",
  import_invalid: "permanent",
  effect_unrunnable: "permanent",
  internal: "permanent",
  store_full: "resource",
  store_readonly: "resource",
  store_io: "resource",
  budget_refused: "resource",
  limit_reached: "resource",
  model_quota: "resource",
} as const satisfies Record<string, ErrorClass>;

/** One of the closed set of codes. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** An error as a value. */
export interface ReinError {
  readonly class: ErrorClass;
  readonly code: ErrorCode;
  /** One sentence: what happened. */
  readonly message: string;
  /** One sentence: what the reader can do next. */
  readonly hint: string;
  /** What lay underneath, if anything; for people, never parsed. */
  readonly cause?: unknown;
  /** Where it happened, when there is a place: `{ row: 17, offset: 4096 }`. */
  readonly place?: Readonly<Record<string, string | number>>;
}

/** A value or an error. */
export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: ReinError };

/** Makes an error value; its class follows from its code. */
export function reinError(
  code: ErrorCode,
  message: string,
  hint: string,
  more: Pick<ReinError, "cause" | "place"> = {},
): ReinError {
  return { class: ERROR_CODES[code], code, message, hint, ...more };
}

/** The success half of a {@link Result}. */
export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

/** The failure half of a {@link Result}. */
export function fail(
  code: ErrorCode,
  message: string,
  hint: string,
  more: Pick<ReinError, "cause" | "place"> = {},
): { readonly ok: false; readonly error: ReinError } {
  return { ok: false, error: reinError(code, message, hint, more) };
}

/** What the outermost API throws: a {@link ReinError} as an exception. */
export class ReinFailure extends Error {
  readonly error: ReinError;

  constructor(error: ReinError) {
    super(`${error.message} ${error.hint}`, { cause: error.cause });
    this.name = "ReinFailure";
    this.error = error;
  }
}

/** The value of a result; throws a {@link ReinFailure} when it is an error. For the outermost API only. */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new ReinFailure(result.error);
}

/** The text of anything that was thrown. */
export function textOfThrown(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Turns anything thrown by foreign code into an error value; a {@link ReinFailure} keeps its own. */
export function errorOfThrown(thrown: unknown, code: ErrorCode, hint: string): ReinError {
  if (thrown instanceof ReinFailure) return thrown.error;
  return reinError(code, textOfThrown(thrown), hint, { cause: thrown });
}

/** Whether the store could not do its work: what was asked of it is neither done nor known. */
export function isStoreFault({ code }: ReinError): boolean {
  return code.startsWith("store_");
}
