import type { ReinError } from "../../core/errors.ts";
import type { ResultContent } from "../../core/session/index.ts";
import type { Failure } from "./failure-text.ts";

// From the registry of symbols, so that it is the same in two copies of this package.
const MARK: unique symbol = Symbol.for("rein.tool-failure");

/** What a handler returns when it could not do its work. Make one with {@link toolFailure}. */
export interface ToolFailure extends Failure {
  readonly [MARK]: true;
  /** What it has all the same: partial output. */
  readonly content?: string | ResultContent;
}

/**
 * Says that a tool could not do its work; a handler returns it instead of throwing. Takes an error of Rein (as the hands
 * give it) or `{ type, message, hint }`; `content` is what it has all the same. The pipeline adds the tool's name.
 *
 * @example return toolFailure({ type: "not_found", message: `No note ${id}.`, hint: "List the notes first." });
 */
export function toolFailure(failure: Failure | ReinError, content?: string | ResultContent): ToolFailure {
  const type = "code" in failure ? failure.code : failure.type;
  const { message, hint } = failure;
  return { [MARK]: true, type, message, hint, ...(content === undefined ? {} : { content }) };
}

/** Whether a handler returned a failure. */
export function isToolFailure(value: unknown): value is ToolFailure {
  return typeof value === "object" && value !== null && MARK in value;
}
