import { setTimeout as sleep } from "node:timers/promises";
import { endGroup } from "./end-group.ts";
import { type Ended, type EndTarget, KILL_WAIT, POLL } from "./end-target.ts";
import { hasProcessTable, type ProcessEntry, readMarked, readProcessTable } from "./process-table.ts";
import { sendSignal } from "./send-signal.ts";

/**
 * Ends a group, its session, all that carry its mark wherever they went, and the sessions those made: TERM, up to `grace`
 * milliseconds, then KILL until none is left. Never signals a group that may have become a stranger's: unless it is our
 * own, its leader must be the one that was started, or a member must carry the mark.
 */
export async function endProcesses(target: EndTarget, grace: number): Promise<Ended> {
  if (!hasProcessTable) return endGroup(target, grace);
  const finder = new VictimFinder(target);
  let victims = await finder.find();
  if (victims.length === 0) return { ended: 0, left: [] };

  signalAll(victims, finder.group, "SIGTERM");
  for (let waited = 0; waited < grace && victims.length > 0; waited += POLL) {
    await sleep(POLL);
    victims = await finder.find();
  }
  for (let waited = 0; waited < KILL_WAIT && victims.length > 0; waited += POLL) {
    // Again in each round: one of them may have started another in between.
    signalAll(victims, finder.group, "SIGKILL");
    await sleep(POLL);
    victims = await finder.find();
  }
  return { ended: finder.seen - victims.length, left: victims.map(({ pid }) => pid) };
}

/** Looks up who is still to be ended, and counts whom it has seen. */
class VictimFinder {
  readonly #target: EndTarget;
  readonly #seen = new Set<string>();
  /** The group is not a stranger's. A number is never given again while somebody is left in the group. */
  #isOwn: boolean;

  constructor(target: EndTarget) {
    this.#target = target;
    this.#isOwn = target.isOwn;
  }

  /** The group to signal as a whole; null when it is not known to be ours. */
  get group(): number | null {
    return this.#isOwn ? this.#target.group : null;
  }

  /** Number of processes found so far. */
  get seen(): number {
    return this.#seen.size;
  }

  /** Those alive now. Nobody is believed only twice: a process that forks and ends can slip through one look. */
  async find(): Promise<readonly ProcessEntry[]> {
    const first = await this.#look();
    return first.length > 0 ? first : this.#look();
  }

  async #look(): Promise<readonly ProcessEntry[]> {
    const { group, pidStart, mark } = this.#target;
    const table = await readProcessTable();
    const members = table.filter((entry) => entry.group === group || entry.session === group);
    // Only what started later can descend from the launcher.
    const later = table.filter((entry) => Number(entry.start) >= Number(pidStart));
    const marked = await readMarked(later, mark);

    const leads = members.some((entry) => entry.pid === group && entry.start === pidStart);
    const carries = marked.some((entry) => entry.group === group || entry.session === group);
    this.#isOwn = members.length > 0 && (this.#isOwn || leads || carries);

    const sessions = new Set(marked.map((entry) => entry.session));
    const own = table.find((entry) => entry.pid === process.pid);
    if (own !== undefined) sessions.delete(own.session);
    const victims = new Map<number, ProcessEntry>();
    for (const entry of this.#isOwn ? members : []) victims.set(entry.pid, entry);
    for (const entry of marked) victims.set(entry.pid, entry);
    for (const entry of later) if (sessions.has(entry.session)) victims.set(entry.pid, entry);
    victims.delete(process.pid);

    const alive = [...victims.values()].filter((entry) => !entry.isZombie);
    for (const entry of alive) this.#seen.add(`${entry.pid} ${entry.start}`);
    return alive;
  }
}

function signalAll(victims: readonly ProcessEntry[], group: number | null, signal: NodeJS.Signals): void {
  // The group first and as a whole: a member that forks meanwhile can't slip through.
  if (group !== null) sendSignal(-group, signal);
  for (const { pid, group: its } of victims) if (its !== group) sendSignal(pid, signal);
}
