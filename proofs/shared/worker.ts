import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Kept between runs: compiling the sources anew takes most of a second. */
const CACHE = fileURLToPath(new URL("../../node_modules/.cache/rein-proofs", import.meta.url));

/** How a worker ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A worker while it runs. */
export interface Worker {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** How a worker is started. */
export interface WorkerOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Program and arguments to run it under, such as `strace`. */
  readonly under?: readonly string[];
}

/** The command line that runs a file of this folder on the sources of the library, without a build. */
function workerCommand(file: string, args: readonly string[]): readonly string[] {
  return [process.execPath, "--conditions=rein-source", `${ROOT}/proofs/${file}`, ...args];
}

/** Starts a process of its own. Its environment holds nothing but what programs need and what is given. */
export function startWorker(file: string, args: readonly string[], options: WorkerOptions = {}): Worker {
  const [program = "", ...rest] = [...(options.under ?? []), ...workerCommand(file, args)];
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(program, rest, {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH, HOME, NODE_COMPILE_CACHE: CACHE, ...options.env },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, ended };
}
