import { own } from "../../core/json.ts";
import type { ToolResultBlock } from "../../core/message/index.ts";

/**
 * How a call ended, as its result tells. `missing` has no result at all; `broken` is a failure of the tool itself (wrong
 * arguments, no such file); a process that ran and exited with another code than 0 is whatever the tool makes of it.
 */
export type Outcome = "ok" | "broken" | "denied" | "timeout" | "unknown" | "interrupted" | "cancelled" | "missing";

const OF_ERROR_TYPE: Readonly<Record<string, Outcome>> = {
  denied: "denied",
  tool_denied: "denied",
  tool_timeout: "timeout",
  unknown: "unknown",
  outcome_unknown: "unknown",
  interrupted: "interrupted",
  aborted: "interrupted",
  cancelled: "cancelled",
  cut: "cancelled",
};

/** The outcome that a result block stands for. */
export function outcomeOf(result: ToolResultBlock | undefined): Outcome {
  if (result === undefined) return "missing";
  if (!result.isError) return "ok";
  const type = result.errorType ?? "";
  return own(OF_ERROR_TYPE, type) ?? "broken";
}
