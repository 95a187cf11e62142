import type { RunResult } from "rein";
import { askText } from "./ask-text.ts";
import { type CommandContext, quoted } from "./command-context.ts";
import { oneLine } from "./one-line.ts";

/** Lines of an argument that are shown of a call that waits. */
const ASKED_LINES = 10;

/** What a report needs to know of the calls of the run. */
interface CallsOfRun {
  /** What was asked about a call. */
  readonly asked: (call: string) => string;
  /** Rules that would have let the denied calls run. */
  readonly missingRules: readonly string[];
}

/** What is said at the end of a run: how it ended, and what the reader can do next. */
export function runReport(context: CommandContext, result: RunResult, calls: CallsOfRun): readonly string[] {
  return [...endLines(context, result, calls), ...deniedLines(calls.missingRules)];
}

function deniedLines(rules: readonly string[]): readonly string[] {
  if (rules.length === 0) return [];
  return [
    `Denied because no rule allows it. To let it run: ${rules.map((rule) => `--allow ${quoted(rule)}`).join(" ")}`,
  ];
}

function endLines(context: CommandContext, result: RunResult, calls: CallsOfRun): readonly string[] {
  const { session, usage } = result;
  const { typed } = context;
  const tokens = `${usage.input} tokens in, ${usage.output} out in this session`;
  const goOn = `To go on: ${typed(`resume ${session}`)}`;
  const end = (how: string): string => `${how} · session ${session} · ${tokens}`;
  switch (result.reason) {
    case "done":
    case "goal_reached":
      return [end(result.reason), `To read it again: ${typed(`show ${session}`)}`];
    case "idle":
      return ["There was nothing to do."];
    case "waiting":
      return [
        end("waiting for a person"),
        ...waitingLines(context, result, calls),
        `To see all of it: ${typed(`show ${session} --full`)}`,
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
    case "goal_missed":
    case "killed":
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
    `    ${typed(`send ${session} approve ${call}`)}`,
    `    ${typed(`send ${session} deny ${call}`)}`,
  ]);
}

function errorLines({ error }: RunResult): readonly string[] {
  return error === undefined ? [] : [`rein: ${oneLine(`${error.message} ${error.hint}`, 1_000)} [${error.code}]`];
}
