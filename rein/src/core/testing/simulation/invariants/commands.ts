import { type Command, isKernelEvent, type KernelEvent } from "../../../session/index.ts";
import type { Invariant, SessionRecord } from "../recording.ts";

/** Each accepted command becomes exactly one event, its own or its refusal; no event claims a command that nobody sent. */
export const commands: Invariant = {
  name: "commands",
  check({ sessions, commands: sent }) {
    const faults: string[] = [];
    for (const record of sessions) {
      const events = eventsOfCommands(record);
      const own = sent.filter(({ session, fresh }) => fresh && session === record.session);
      for (const { commandId, command } of own) {
        const became = events.get(commandId) ?? [];
        const [only] = became;
        // A command that still waits is not at rest, which `ends` tells.
        if (became.length === 0 && record.waiting > 0) continue;
        if (became.length !== 1 || only === undefined)
          faults.push(`${record.session}: command ${commandId} became ${became.length} events.`);
        else if (!fits(command, only)) faults.push(`${record.session}: command ${commandId} became ${only.type}.`);
      }
      const known = new Set(own.map(({ commandId }) => commandId));
      for (const [commandId, became] of events) {
        if (!known.has(commandId) && !commandId.startsWith("force-"))
          faults.push(`${record.session}: ${became[0]?.type} names the command ${commandId}, which nobody sent.`);
      }
      faults.push(...acceptedAfterKill(record));
    }
    return faults;
  },
};

function eventsOfCommands({ events, base }: SessionRecord): ReadonlyMap<string, readonly KernelEvent[]> {
  const found = new Map<string, KernelEvent[]>();
  for (const event of events.slice(base)) {
    if (!isKernelEvent(event) || !("commandId" in event.data) || event.data.commandId === null) continue;
    const { commandId } = event.data;
    found.set(commandId, [...(found.get(commandId) ?? []), event]);
  }
  return found;
}

const EVENT_OF: Readonly<Record<Command["kind"], string>> = {
  input: "input.received",
  approve: "approval.answered",
  deny: "approval.answered",
  interrupt: "run.interrupted",
  kill: "run.killed",
  stop: "run.stopped",
  pause: "run.paused",
  resume: "run.resumed",
  settings: "settings.changed",
};

function fits(command: Command | null, event: KernelEvent): boolean {
  if (event.type === "command.refused") return true;
  if (command === null || EVENT_OF[command.kind] !== event.type) return false;
  return event.type !== "approval.answered" || event.data.answer === command.kind;
}

/** What comes behind a kill is refused, not taken in and dropped. */
function acceptedAfterKill({ session, events, base }: SessionRecord): readonly string[] {
  const faults: string[] = [];
  let killed = false;
  for (const event of events.slice(base)) {
    if (event.type === "run.killed") killed = true;
    if (killed && (event.type === "input.received" || event.type === "approval.answered"))
      faults.push(`${session} event ${event.seq}: ${event.type} behind a kill.`);
  }
  return faults;
}
