import { systemCode } from "./path-error.ts";

/** Sends a signal to a process, or to a group by its negative number; says whether somebody is there to get it. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === "ESRCH") return false;
    // Another user's: it stays, and is reported as left.
    if (code === "EPERM") return true;
    throw thrown;
  }
}
