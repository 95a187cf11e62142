import type { ErrorCode, RunResult } from "rein";

/** What the command's exit code says. */
export const EXIT = { done: 0, failed: 1, wrongUse: 2, limit: 3, waiting: 4, interrupted: 130 } as const;

/** Errors that the caller mends by calling differently. */
const WRONG_USE: ReadonlySet<ErrorCode> = new Set([
  "invalid_option",
  "invalid_command",
  "model_unknown",
  "session_exists",
  "session_unknown",
]);

/** The exit code of an error. */
export function exitCodeOfError(code: ErrorCode): number {
  if (WRONG_USE.has(code)) return EXIT.wrongUse;
  if (code === "aborted") return EXIT.interrupted;
  return code === "limit_reached" ? EXIT.limit : EXIT.failed;
}

/** The exit code of the end of a run. */
export function exitCodeOfReason(reason: RunResult["reason"]): number {
  switch (reason) {
    case "done":
    case "goal_reached":
    case "idle":
      return EXIT.done;
    case "max_turns":
    case "max_model_calls":
    case "max_tokens":
    case "max_cost":
    case "max_time":
      return EXIT.limit;
    case "waiting":
    case "paused":
      return EXIT.waiting;
    case "interrupted":
    case "stopped":
      return EXIT.interrupted;
    case "failed":
    case "goal_missed":
    case "killed":
    case "lost":
    case "refused":
    case "spinning":
      return EXIT.failed;
  }
}
