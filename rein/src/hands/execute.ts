import { stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { errorOfThrown, fail, ok, type ReinError, type Result, reinError } from "../core/errors.ts";
import type { Clock, ProcessIdentity, ProcessOptions, ProcessResult } from "../core/ports.ts";
import type { CallEffect } from "../core/session/index.ts";
import { MARK_VARIABLE, markValue } from "./child-environment.ts";
import { endProcesses } from "./end-processes.ts";
import type { EndTarget } from "./end-target.ts";
import { type Launched, launch } from "./launch.ts";
import { OutputCollector } from "./output-collector.ts";
import { pathError, unusable } from "./path-error.ts";
import { processStart } from "./process-start.ts";

/** What running a process needs besides the call. */
export interface ExecuteSources {
  readonly clock: Clock;
  readonly host: Pick<ProcessIdentity, "host" | "bootId" | "pidNamespace">;
  /** The surrounding environment; only the marks of ancestors are taken from it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The environment of children. */
  readonly childEnv: Readonly<Record<string, string>>;
  readonly shell: string;
  /** Milliseconds between TERM and KILL. */
  readonly grace: number;
}

/** A process to run. */
export interface ExecuteRequest {
  readonly effect: CallEffect & { kind: "execute" | "execute-argv" };
  /** Real path of the working folder. */
  readonly cwd: string;
  readonly options: ProcessOptions;
}

const DEFAULT_MOST_OUTPUT = 1_048_576;
/** The longest a timer can wait; longer ones would fire at once. */
const LONGEST_TIMER = 2_147_483_647;
/** Milliseconds that helpers of a command get to end by themselves after it, as long as they hold its output open. */
const HELPER_WAIT = 500;
/** Milliseconds that the last output may take to come in when everybody has ended. */
const OUTPUT_WAIT = 500;

/**
 * Runs a process to its end, and ends with it all that it has started. The order is the contract: launcher, `announce`,
 * byte. When this returns, nothing that carries the mark is alive, or an error says what is.
 */
export async function execute(request: ExecuteRequest, sources: ExecuteSources): Promise<Result<ProcessResult>> {
  const { options, cwd } = request;
  const { effect } = request;
  // Behind `--` a command that begins with a dash is a command, not an option of the shell.
  const argv = effect.kind === "execute" ? [sources.shell, "-c", "--", effect.command] : effect.argv;
  const fault = faultOfArguments(argv, effect.kind === "execute", options) ?? (await faultOfFolder(effect.cwd, cwd));
  if (fault !== null) return { ok: false, error: fault };
  if (options.signal.aborted) return aborted();

  const mark = sources.clock.id();
  const env = { ...sources.childEnv, [MARK_VARIABLE]: markValue(sources.env, mark) };
  const launched = await launch({ argv, cwd, env, stdin: options.stdin ?? null });
  if (!launched.ok) return launched;

  const { pid } = launched.value;
  const start = await processStart(pid);
  const target: EndTarget = { group: pid, pidStart: start.ok ? start.value : "", mark, isOwn: true };
  if (!start.ok) return giveUp(launched.value, target, start.error);
  const identity: ProcessIdentity = { ...sources.host, pid, pidStart: start.value, group: pid, mark };
  const refusal = await announce(identity, launched.value, options);
  if (refusal !== null) return giveUp(launched.value, target, refusal);
  return run(launched.value, target, options, sources);
}

/** Commits the identity; null when the process may begin. An abort meanwhile ends the launcher without waiting. */
async function announce(
  identity: ProcessIdentity,
  launched: Launched,
  options: ProcessOptions,
): Promise<ReinError | null> {
  const stop = (): void => launched.giveUp();
  options.signal.addEventListener("abort", stop, { once: true });
  try {
    const announced = await options.announce(identity);
    if (!announced.ok) return announced.error;
    return options.signal.aborted ? aborted().error : null;
  } catch (thrown) {
    return errorOfThrown(
      thrown,
      "process_failed",
      "The start of the process could not be recorded, so it did not begin.",
    );
  } finally {
    options.signal.removeEventListener("abort", stop);
  }
}

async function giveUp(launched: Launched, target: EndTarget, error: ReinError): Promise<Result<never>> {
  launched.giveUp();
  await endProcesses(target, 0);
  await launched.exited;
  return { ok: false, error };
}

async function run(
  launched: Launched,
  target: EndTarget,
  options: ProcessOptions,
  sources: ExecuteSources,
): Promise<Result<ProcessResult>> {
  const stdout = collect(launched, "stdout", options);
  const stderr = collect(launched, "stderr", options);
  launched.go();

  const cause = await endOrStop(launched, options, sources.clock);
  if (cause === "exit") await within(HELPER_WAIT, launched.closed);
  const { left } = await endProcesses(target, sources.grace);
  if (left.length > 0) {
    const message = `Processes could not be ended: ${left.join(", ")}.`;
    return fail("process_failed", message, "End them by hand; they may belong to another user.");
  }
  const { exitCode, signal } = await launched.exited;
  await within(OUTPUT_WAIT, launched.closed);
  // Whoever still holds a pipe open is out of reach; nothing more is read from it.
  for (const stream of launched.child.stdio) stream?.destroy();
  return ok({
    exitCode,
    signal,
    stdout: stdout.finish(),
    stderr: stderr.finish(),
    stdoutBytes: stdout.bytes(),
    stderrBytes: stderr.bytes(),
    timedOut: cause === "timeout",
  });
}

async function endOrStop(
  launched: Launched,
  options: ProcessOptions,
  clock: Clock,
): Promise<"exit" | "timeout" | "abort"> {
  const over = new AbortController();
  const stopped = new Promise<"abort">((resolve) => {
    const stop = (): void => resolve("abort");
    if (options.signal.aborted) stop();
    options.signal.addEventListener("abort", stop, { once: true, signal: over.signal });
  });
  const late = clock.sleep(Math.min(options.timeout, LONGEST_TIMER), over.signal).then(() => "timeout" as const);
  const ended = launched.exited.then(() => "exit" as const);
  const cause = await Promise.race([ended, stopped, late]);
  over.abort();
  return cause;
}

function collect(launched: Launched, name: "stdout" | "stderr", options: ProcessOptions) {
  const collector = new OutputCollector(options.maxOutput ?? DEFAULT_MOST_OUTPUT);
  const { onOutput } = options;
  const show = (text: string): void => {
    if (text !== "") onOutput?.(name, text);
  };
  launched.child[name]?.on("data", (chunk: Buffer) => {
    collector.push(chunk);
    if (onOutput !== undefined) show(collector.live(chunk));
  });
  const finish = (): string => {
    show(collector.liveEnd());
    return collector.text();
  };
  return { finish, bytes: (): number => collector.bytes };
}

/** Waits for something that may never come. */
async function within(milliseconds: number, event: Promise<void>): Promise<void> {
  const over = new AbortController();
  const wait = sleep(milliseconds, undefined, { signal: over.signal }).catch((thrown: unknown) => {
    if (!over.signal.aborted) throw thrown;
  });
  await Promise.race([event, wait]);
  over.abort();
}

function faultOfArguments(argv: readonly string[], isShell: boolean, options: ProcessOptions): ReinError | null {
  // An empty text would be a command that does nothing, and surely is not what was meant.
  if (argv[0] === undefined || argv[0] === "" || (isShell && argv.at(-1)?.trim() === "")) {
    return reinError("process_failed", "The command is empty.", "Name the program to run.");
  }
  if (argv.some((argument) => argument.includes("\0"))) {
    return reinError("process_failed", "The command holds a NUL byte.", "Leave the NUL byte out.");
  }
  if (Number.isNaN(options.timeout) || options.timeout < 0) {
    return reinError(
      "invalid_option",
      `The time-out ${options.timeout} is no number of milliseconds.`,
      "Give one from 0.",
    );
  }
  return null;
}

async function faultOfFolder(named: string, real: string): Promise<ReinError | null> {
  try {
    if ((await stat(real)).isDirectory()) return null;
    return unusable(named, "is not a folder", "Run the command in a folder.");
  } catch (thrown) {
    return pathError(named, thrown);
  }
}

function aborted(): { readonly ok: false; readonly error: ReinError } {
  return fail(
    "aborted",
    "The call was interrupted before its process began.",
    "Make the call again if it is still wanted.",
  );
}
