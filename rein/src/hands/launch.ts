import type { ChildProcess } from "node:child_process";
import { ok, type Result, reinError, textOfThrown } from "../core/errors.ts";

/**
 * The launcher. It waits for one byte on descriptor 3 and then becomes the command; when the other end closes first,
 * because this process died or gave up, it ends without having run anything. The command is handed over as arguments
 * and is never part of this text.
 */
const LAUNCHER = 'IFS= read -r rein_go <&3 || exit 125; exec 3<&-; exec "$@"';

/** What is started. */
export interface LaunchRequest {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Text for its standard input, which is empty otherwise. */
  readonly stdin: string | null;
}

/** A launcher that waits in its own process group. */
export interface Launched {
  readonly pid: number;
  readonly child: ChildProcess;
  /** The leader has ended. */
  readonly exited: Promise<{ readonly exitCode: number | null; readonly signal: string | null }>;
  /** The leader has ended and nobody holds its output open any more. */
  readonly closed: Promise<void>;
  /** Sends the byte. */
  go(): void;
  /** Closes descriptor 3: before {@link go}, the launcher ends by itself. */
  giveUp(): void;
}

/** Starts a launcher in a new session and group; the command does not begin before `go`. */
export async function launch(request: LaunchRequest): Promise<Result<Launched>> {
  let child: ChildProcess;
  try {
    // Loaded with the first process: most agents start none.
    const { spawn } = await import("node:child_process");
    child = spawn("/bin/sh", ["-c", LAUNCHER, "rein", ...request.argv], {
      cwd: request.cwd,
      env: request.env,
      detached: true,
      stdio: [request.stdin === null ? "ignore" : "pipe", "pipe", "pipe", "pipe"],
    });
  } catch (thrown) {
    return notStarted(thrown);
  }
  const started = new Promise<unknown>((resolve) => {
    child.once("spawn", () => resolve(null));
    child.once("error", resolve);
  });
  const exited = new Promise<Awaited<Launched["exited"]>>((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
  const closed = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
  });

  const thrown = await started;
  if (thrown !== null || child.pid === undefined) return notStarted(thrown);
  const gate = child.stdio[3];
  if (gate === null || gate === undefined || !("write" in gate)) return notStarted(new Error("no descriptor 3"));
  for (const stream of child.stdio) stream?.on("error", endsWithTheProcess);
  if (request.stdin !== null) child.stdin?.end(request.stdin);

  return ok({
    pid: child.pid,
    child,
    exited,
    closed,
    go: () => gate.end("\n"),
    giveUp: () => gate.destroy(),
  });
}

/** A pipe breaks when the process ends without reading it: its exit tells all there is to tell. */
function endsWithTheProcess(_error: Error): void {
  return;
}

function notStarted(thrown: unknown): { readonly ok: false; readonly error: ReturnType<typeof reinError> } {
  const text = textOfThrown(thrown);
  const hint = text.includes("E2BIG")
    ? "The command is too long: write it to a file and run that."
    : "Check the command and what the system allows to run.";
  return {
    ok: false,
    error: reinError("process_failed", `The process could not be started: ${text}.`, hint, { cause: thrown }),
  };
}
