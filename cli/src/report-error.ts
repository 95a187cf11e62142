import { CommanderError } from "commander";
import { ReinFailure } from "rein";
import { commandHint } from "./command-hint.ts";
import { EXIT, exitCodeOfError } from "./exit-code.ts";
import { oneLine } from "./one-line.ts";
import type { Output } from "./output.ts";

/** The longest line of an error, in characters. */
const MOST = 1_000;

/** Says in one line what went wrong and what to do, and gives the exit code. `command` is the one that was chosen. */
export function reportError(thrown: unknown, output: Output, command = ""): number {
  const { line, exitCode } = described(thrown, `rein ${command}`.trim());
  output.note(`rein: ${oneLine(line, MOST)}`);
  if (process.env.REIN_DEBUG === "1") output.note(debugText(thrown));
  return exitCode;
}

function described(thrown: unknown, command: string): { readonly line: string; readonly exitCode: number } {
  if (thrown instanceof ReinFailure) {
    const { message, code } = thrown.error;
    return { line: `${message} ${commandHint(thrown.error, command)} [${code}]`, exitCode: exitCodeOfError(code) };
  }
  if (thrown instanceof CommanderError) {
    const message = thrown.message.replace(/^error: /, "");
    const stop = /[.)?]$/.test(message) ? "" : ".";
    const quotes = thrown.code === "commander.excessArguments" ? " Put a text of several words in quotes." : "";
    return { line: `${message}${stop}${quotes} See ${command} --help.`, exitCode: EXIT.wrongUse };
  }
  const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  const hint =
    "This is a fault of Rein: please report it with what REIN_DEBUG=1 shows. The log of the session is whole. [internal]";
  return { line: `${text.replace(/[.\s]*$/, ".")} ${hint}`, exitCode: EXIT.failed };
}

function debugText(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const place =
    thrown instanceof ReinFailure && thrown.error.place !== undefined ? JSON.stringify(thrown.error.place) : "";
  const cause = thrown.cause === undefined ? "" : `\ncaused by ${debugText(thrown.cause)}`;
  return `${place}${thrown.stack ?? thrown.message}${cause}`;
}
