import { readdirSync, readFileSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import { MARK_VARIABLE } from "./child-environment.ts";
import { systemCode } from "./path-error.ts";

/** A process as the system knows it. */
export interface ProcessEntry {
  readonly pid: number;
  readonly group: number;
  readonly session: number;
  /** Start time in ticks since boot, as text: with the pid it names one process for the life of the machine. */
  readonly start: string;
  /** Ended, and only kept until its parent asks for its result. */
  readonly isZombie: boolean;
}

/** Whether the system has the table of all processes that survivors are looked up in (Linux). */
export const hasProcessTable = process.platform === "linux";

/**
 * Processes read in one go. Files of /proc never wait for a disk, and read without the thread pool they cost a twentieth;
 * between two batches others get their turn.
 */
const BATCH = 100;

/** All processes there are; what ends meanwhile is left out. */
export async function readProcessTable(): Promise<readonly ProcessEntry[]> {
  const names = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return inBatches(names, (name) => parseStat(readIfThere(`/proc/${name}/stat`)));
}

/** One process, or null when there is none of that pid. */
export function readProcess(pid: number): ProcessEntry | null {
  return parseStat(readIfThere(`/proc/${pid}/stat`));
}

/** Those of `entries` that were started with a mark, by themselves or by an ancestor. */
export async function readMarked(entries: readonly ProcessEntry[], mark: string): Promise<readonly ProcessEntry[]> {
  return inBatches(entries, (entry) => {
    const environment = readIfThere(`/proc/${entry.pid}/environ`);
    return environment !== null && hasMark(environment, mark) ? entry : null;
  });
}

function hasMark(environment: string, mark: string): boolean {
  if (!environment.includes(mark)) return false;
  const prefix = `${MARK_VARIABLE}=`;
  const value = environment.split("\0").find((variable) => variable.startsWith(prefix));
  return value?.slice(prefix.length).split(":").includes(mark) ?? false;
}

/** Fields of proc_pid_stat(5); the name in field 2 may itself hold spaces and brackets. */
function parseStat(text: string | null): ProcessEntry | null {
  if (text === null) return null;
  const pid = Number.parseInt(text, 10);
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, , group, session] = fields;
  const start = fields[19];
  if (state === undefined || group === undefined || session === undefined || start === undefined) return null;
  return { pid, group: Number(group), session: Number(session), start, isZombie: state === "Z" || state === "X" };
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "latin1");
  } catch (thrown) {
    // Gone (ENOENT, ESRCH) or another user's (EACCES, EPERM): either way not one to be ended from here.
    if (systemCode(thrown) === null) throw thrown;
    return null;
  }
}

async function inBatches<T, R>(items: readonly T[], work: (item: T) => R | null): Promise<readonly R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at++) {
    if (at > 0 && at % BATCH === 0) await turn();
    const item = items[at];
    const result = item === undefined ? null : work(item);
    if (result !== null) results.push(result);
  }
  return results;
}
