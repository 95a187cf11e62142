import { readdirSync, readFileSync } from "node:fs";

/** A process that carries a mark. */
export interface MarkedProcess {
  readonly pid: number;
  readonly command: string;
  /** All marks it carries, the oldest first. */
  readonly marks: readonly string[];
}

/**
 * Every process whose `REIN_MARK` names `mark`, looked up in /proc by the proof itself and not by what is proven. The mark is given to a worker, so all that
 * descends from it carries it, wherever it went. Zombies do not count; nor does `except`.
 */
export function markedProcesses(mark: string, except: readonly number[] = []): readonly MarkedProcess[] {
  const found: MarkedProcess[] = [];
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || except.includes(pid)) continue;
    const environment = read(`/proc/${pid}/environ`).split("\0");
    const marks =
      environment
        .find((line) => line.startsWith("REIN_MARK="))
        ?.slice("REIN_MARK=".length)
        .split(":") ?? [];
    // An environment can be read for as long as the process has memory, which a zombie has not.
    if (marks.includes(mark))
      found.push({ pid, marks, command: read(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim() });
  }
  return found;
}

/** Kills whoever still carries a mark, until nobody does. */
export function endMarked(mark: string): void {
  for (let left = markedProcesses(mark); left.length > 0; left = markedProcesses(mark)) {
    for (const { pid } of left) kill(pid);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (thrown) {
    // It has ended by itself meanwhile.
    if (!(thrown instanceof Error && "code" in thrown && thrown.code === "ESRCH")) throw thrown;
  }
}

/** A process may end between two looks: then there is nothing to read. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && typeof thrown.code === "string") return "";
    throw thrown;
  }
}
