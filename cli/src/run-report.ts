import type { RunResult } from "rein";
import { askText } from "./ask-text.ts";
import type { CommandContext } from "./command-context.ts";
import { oneLine } from "./one-line.ts";

/** Lines of an argument that are shown of a call that waits. */
const ASKED_LINES = 10;

/** What a report needs to know of the calls of the run. */
export interface CallsOfRun {
  /** What was asked about a call. */
  readonly asked: (call: string) => string;
  /** What a crash has left, in a line. */
  readonly recovery: string | null;
  /** Calls that were denied because nothing allows them; null when there were none. */
  readonly denied: DeniedCalls | null;
}

/** Denied calls, and what would let them run. */
export interface DeniedCalls {
  /** Rules that would have let calls run. */
  readonly rules: readonly string[];
  /** Calls, in words, that no rule names exactly. */
  readonly unnamed: readonly string[];
  /** What the model was last told to do. */
  readonly task: string;
}

/** What is said at the end of a run: how it ended, and what the reader can do next. */
export function runReport(context: CommandContext, result: RunResult, calls: CallsOfRun): readonly string[] {
  return [
    ...endLines(context, result, calls),
    ...(calls.recovery === null ? [] : [calls.recovery]),
    ...(calls.denied === null ? [] : deniedLines(context, result, calls.denied)),
  ];
}

function deniedLines(
  { typed }: CommandContext,
  { session, reason }: RunResult,
  { rules, unnamed, task }: DeniedCalls,
): readonly string[] {
  const again = reason === "done" || reason === "goal_reached" || reason === "goal_missed";
  const command = (options: readonly string[]): string =>
    again ? typed("run", "--session", session, ...options, task) : typed("resume", session, ...options);
  const allow = rules.flatMap((rule) => ["--allow", rule]);
  return [
    ...(rules.length === 0 ? [] : [`Denied because no rule allows it. To let it run: ${command(allow)}`]),
    ...(unnamed.length === 0
      ? []
      : [`Denied, and no rule says exactly that: ${unnamed.join("; ")}. To be asked: ${command(["--ask", "wait"])}`]),
  ];
}

function endLines(context: CommandContext, result: RunResult, calls: CallsOfRun): readonly string[] {
  const { session, usage } = result;
  const { typed } = context;
  const tokens = `${usage.input} tokens in, ${usage.output} out in this session`;
  const goOn = `To go on: ${typed("resume", session)}`;
  const end = (how: string): string => `${how} · session ${session} · ${tokens}`;
  switch (result.reason) {
    case "done":
    case "goal_reached":
      return [end(result.reason), `To read it again: ${typed("show", session)}`];
    case "idle":
      return ["There was nothing to do."];
    case "waiting":
      return [
        end("waiting for a person"),
        ...waitingLines(context, result, calls),
        `To see all of it: ${typed("show", session, "--full")}`,
        `Then ${goOn.toLowerCase()}`,
      ];
    case "paused":
      return [end("paused"), goOn];
    case "interrupted":
    case "stopped":
      return [end(result.reason), goOn];
    case "max_turns":
      return [end("stopped by the limit max_turns"), `${goOn} --max-turns N`];
    case "max_model_calls":
    case "max_tokens":
    case "max_cost":
    case "max_time":
      return [end(`stopped by the limit ${result.reason}`), goOn];
    case "killed": {
      const why = result.killed === undefined || result.killed === "" ? "" : `: ${oneLine(result.killed, 300)}`;
      return [end(`killed${why}`), `It stays ended. To go on from it: ${typed("fork", session)}`];
    }
    case "goal_missed":
    case "refused":
    case "spinning":
      return [end(result.reason), ...errorLines(result)];
    case "failed":
      return [end("failed"), ...errorLines(result), goOn];
    case "lost":
      return [end("another process has taken the session"), ...errorLines(result)];
  }
}

function waitingLines(
  { typed }: CommandContext,
  { session, waiting }: RunResult,
  calls: CallsOfRun,
): readonly string[] {
  return waiting.flatMap((call) => [
    askText(calls.asked(call), ASKED_LINES),
    `    ${typed("send", session, "approve", call)}`,
    `    ${typed("send", session, "deny", call)}`,
  ]);
}

function errorLines({ error }: RunResult): readonly string[] {
  return error === undefined ? [] : [`rein: ${oneLine(`${error.message} ${error.hint}`, 1_000)} [${error.code}]`];
}
