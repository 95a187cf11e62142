import { setTimeout as sleep } from "node:timers/promises";
import { type Ended, type EndTarget, KILL_WAIT, POLL } from "./end-target.ts";
import { processStart } from "./process-start.ts";
import { sendSignal } from "./send-signal.ts";

/**
 * Ends a group where the system has no table of processes to look members up in, and only while the group is certainly
 * ours: it is our own, or its leader is the one that was started. Who left the group is not found. Counts the group as one.
 */
export async function endGroup(target: EndTarget, grace: number): Promise<Ended> {
  if (!(await isOurs(target)) || !sendSignal(-target.group, "SIGTERM")) return { ended: 0, left: [] };
  for (let waited = 0; waited < grace && sendSignal(-target.group, 0); waited += POLL) await sleep(POLL);
  for (let waited = 0; waited < KILL_WAIT; waited += POLL) {
    if (!sendSignal(-target.group, "SIGKILL")) return { ended: 1, left: [] };
    await sleep(POLL);
  }
  return { ended: 0, left: [target.group] };
}

async function isOurs({ isOwn, group, pidStart }: EndTarget): Promise<boolean> {
  if (isOwn) return true;
  const start = await processStart(group);
  return start.ok && start.value === pidStart;
}
