import type { ProcessResult } from "../../core/ports.ts";
import { toolFailure } from "../result/tool-failure.ts";
import { tool } from "../tool.ts";

/** Seconds a command may take when none are named. Source: `tool time-out of the shell`, docs/architecture.md. */
const DEFAULT_SECONDS = 600;
const MOST_SECONDS = 3_600;

// The hands end the command and still give its output; the pipeline's own time-out only comes when they cannot.
const MARGIN_MS = 15_000;

/**
 * Runs a command. An exit code that is not 0 is a normal result, stated first: `grep` without a match or a failing test is
 * what the model asked to see, and must not cancel the calls beside it. Not starting and running out of time are failures.
 */
export const shell = tool({
  name: "shell",
  description:
    "Runs a shell command in the workspace folder and gives its exit code, standard output and standard error. The " +
    "command has no input and no terminal, and everything it starts is ended with it. For reading, listing and searching files use the other " +
    "tools: they need no permission.",
  access: "admin",
  input: {
    type: "object",
    properties: {
      command: { type: "string", minLength: 1, description: "The command line, as one would type it." },
      timeout: {
        type: "number",
        exclusiveMinimum: 0,
        maximum: MOST_SECONDS,
        description: `Seconds until it is ended; default ${DEFAULT_SECONDS}, at most ${MOST_SECONDS}.`,
      },
    },
    required: ["command"],
    additionalProperties: false,
  },
  effects: ({ command }, { folder }) => [{ kind: "execute", command, cwd: folder }],
  timeout: ({ timeout }) => milliseconds(timeout) + MARGIN_MS,
  async run({ command, timeout }, { hands }) {
    const ran = await hands.execute(command, { timeout: milliseconds(timeout) });
    if (!ran.ok) return toolFailure(ran.error);
    const output = outputText(ran.value);
    if (!ran.value.timedOut) return `${endText(ran.value)}\n${output}`;
    const message = `The command did not end within ${timeout ?? DEFAULT_SECONDS} s and was ended. What it wrote until then follows.`;
    const hint = "Check what it has already done, then give a longer `timeout` or run less at a time.";
    return toolFailure({ type: "tool_timeout", message, hint }, output);
  },
});

function milliseconds(seconds: number | undefined): number {
  return Math.ceil((seconds ?? DEFAULT_SECONDS) * 1000);
}

function endText({ exitCode, signal }: ProcessResult): string {
  return exitCode === null ? `ended by signal ${signal ?? "unknown"}` : `exit code ${exitCode}`;
}

function outputText(result: ProcessResult): string {
  const parts: string[] = [];
  if (result.stdout !== "") parts.push(result.stdout.trimEnd());
  if (result.stderr !== "") parts.push(`[standard error]\n${result.stderr.trimEnd()}`);
  if (parts.length === 0) parts.push("(no output)");
  const cut = [
    cutNote("standard output", result.stdout, result.stdoutBytes),
    cutNote("standard error", result.stderr, result.stderrBytes),
  ];
  return [...parts, ...cut.filter((note) => note !== "")].join("\n");
}

function cutNote(stream: string, kept: string, bytes: number): string {
  // A replaced byte counts three, so the kept text may be longer than what was written, never much shorter.
  return bytes > Buffer.byteLength(kept) ? `[${stream} had ${bytes} bytes; its middle was left out.]` : "";
}
