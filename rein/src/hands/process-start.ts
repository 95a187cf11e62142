import { fail, ok, type Result, textOfThrown } from "../core/errors.ts";
import { hasProcessTable, readProcess } from "./process-table.ts";

/**
 * Start time of a process, which tells it from a later one of the same pid: ticks since boot on Linux, elsewhere what
 * `ps` says. Error: `process_failed` when there is no such process or nobody can say.
 */
export async function processStart(pid: number): Promise<Result<string>> {
  if (!hasProcessTable) return startByPs(pid);
  const entry = readProcess(pid);
  return entry === null ? notThere(pid) : ok(entry.start);
}

/** Start time by `ps -o lstart=`, in whole seconds. */
export async function startByPs(pid: number): Promise<Result<string>> {
  const env = { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
  try {
    // Both bring much into memory, and where there is a process table neither is needed.
    const [{ execFile }, { promisify }] = await Promise.all([import("node:child_process"), import("node:util")]);
    const { stdout } = await promisify(execFile)("ps", ["-o", "lstart=", "-p", String(pid)], { env });
    return stdout.trim() === "" ? notThere(pid) : ok(stdout.trim());
  } catch (cause) {
    // `ps` ends with 1 when there is no such process.
    if (cause instanceof Error && "code" in cause && cause.code === 1) return notThere(pid);
    const message = `The start time of process ${pid} can't be read: ${textOfThrown(cause)}`;
    return fail("process_failed", message, "Make sure that the command ps can be run.", { cause });
  }
}

function notThere(pid: number): Result<never> {
  return fail("process_failed", `There is no process ${pid} any more.`, "Look why it ended at once, then try again.");
}
