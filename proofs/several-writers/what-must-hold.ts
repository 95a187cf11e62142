/** What must hold after the scene: a sentence for each thing that does not. */
import type { LoggedEvent } from "../shared/read-log.ts";
import { prefixFaults, requestFaults } from "../shared/request-faults.ts";
import type { ForkNote, Sent } from "./plan.ts";
import type { Played } from "./play.ts";

/** All faults of a scene. */
export function faultsOf(played: Played): readonly string[] {
  return [
    ...played.findings,
    ...oneEventEach(played),
    ...answers(played),
    ...effects(played),
    ...afterTheKill(played),
    ...played.requests.flatMap(requestFaults),
    ...prefixFaults(played.requests),
    ...takenOnce(played),
    ...played.forks.flatMap((fork) => forkFaults(played, fork)),
    ...(played.forks.length === played.scene.forks ? [] : [`${played.forks.length} forks were made.`]),
  ];
}

/** Figures that show what a scene was. */
export function figuresOf({ log, sent, forks, effects }: Played): Readonly<{ [name: string]: number }> {
  const count = (type: string): number => log.events.filter((event) => event.type === type).length;
  return {
    events: log.events.length,
    commands: sent.filter(({ duplicate }) => !duplicate).length,
    "sent twice": sent.filter(({ duplicate }) => duplicate).length,
    inputs: count("input.received") - 1,
    answers: count("approval.answered"),
    refused: count("command.refused"),
    turns: count("model.responded"),
    effects: effects.length,
    forks: forks.length,
  };
}

const EVENT_OF: Readonly<{ [kind: string]: string }> = {
  input: "input.received",
  approve: "approval.answered",
  deny: "approval.answered",
};

/** Each command is exactly one event, its own or its refusal, in the order in which its sender sent it. */
function oneEventEach({ log, sent }: Played): readonly string[] {
  const faults: string[] = [];
  const places = new Map<string, LoggedEvent[]>();
  for (const event of log.events) {
    const id = event.data.commandId;
    if (typeof id === "string") places.set(id, [...(places.get(id) ?? []), event]);
  }
  const newest = new Map<string, number>();
  const seen = new Set<string>();
  for (const { sender, commandId, command, duplicate } of sent) {
    if (duplicate !== seen.has(commandId))
      faults.push(`${commandId} was told that it is ${duplicate ? "known" : "new"}.`);
    seen.add(commandId);
    const events = places.get(commandId) ?? [];
    const [event] = events;
    if (events.length !== 1 || event === undefined) {
      faults.push(`${commandId} became ${events.length} events.`);
      continue;
    }
    if (event.type !== "command.refused" && event.type !== EVENT_OF[command.kind])
      faults.push(`${commandId} became ${event.type}.`);
    if (event.seq < (newest.get(sender) ?? 0)) faults.push(`${commandId} overtook one of its sender.`);
    newest.set(sender, event.seq);
  }
  return faults;
}

/** The first fitting answer to an open question counts; every other is recorded as refused, with a reason. */
function answers({ log, sent }: Played): readonly string[] {
  const faults: string[] = [];
  const byId = new Map(sent.map((line) => [line.commandId, line] as const));
  const open = new Map<string, string>();
  for (const { type, data } of log.events) {
    const call = String(data.call);
    if (type === "approval.requested") open.set(call, String(data.digest));
    if (type === "tool.finished") open.delete(call);
    if (type === "run.killed") open.clear();
    const line = byId.get(String(data.commandId));
    if (line === undefined) continue;
    const fits = fitsOpen(line, open);
    if (type === "approval.answered") {
      if (!fits) faults.push(`${line.commandId} counts, and its question was not open.`);
      open.delete(call);
    }
    if (type !== "command.refused") continue;
    if (fits) faults.push(`${line.commandId} was refused, and its question was open: ${data.reason}`);
    if (typeof data.reason !== "string" || data.reason === "")
      faults.push(`${line.commandId} was refused without a reason.`);
  }
  return faults;
}

function fitsOpen({ command }: Sent, open: ReadonlyMap<string, string>): boolean {
  if (command.kind !== "approve" && command.kind !== "deny") return false;
  const digest = open.get(command.call);
  return digest !== undefined && (command.digest === undefined || command.digest === digest);
}

/** What was approved happened once, unless the kill came first; what was not, never. */
function effects({ log, effects: happened }: Played): readonly string[] {
  const times = new Map<string, number>();
  for (const { call } of happened) times.set(call, (times.get(call) ?? 0) + 1);
  const approved = new Set<string>();
  const faults: string[] = [];
  for (const { type, data } of log.events) {
    const call = String(data.call);
    if (type === "approval.answered" && data.answer === "approve") approved.add(call);
    if (type !== "tool.finished" || !isKeep(log.events, call)) continue;
    const count = times.get(call) ?? 0;
    if (data.outcome === "ok" && (count !== 1 || !approved.has(call)))
      faults.push(`${call} ended well, approved: ${approved.has(call)}, and happened ${count} times.`);
    if (data.outcome === "denied" && count > 0) faults.push(`${call} was denied and happened.`);
  }
  for (const [call, count] of times) {
    if (count > 1) faults.push(`${call} happened ${count} times.`);
    if (!approved.has(call)) faults.push(`${call} happened and was not approved.`);
  }
  return faults;
}

function isKeep(events: readonly LoggedEvent[], call: string): boolean {
  return events.some(({ type, data }) => type === "approval.requested" && data.call === call);
}

const CLOSING = ["command.refused", "tool.finished", "model.interrupted", "run.ended", "brain.woke", "tool.requeued"];

/** The session is taken by force; what was not taken in is refused, and nothing begins any more. */
function afterTheKill({
  scene,
  log,
  sent,
  driver,
  killer,
  effects: happened,
  effectsAtKill,
}: Played): readonly string[] {
  const faults: string[] = [];
  const at = log.events.findIndex(({ type }) => type === "run.killed");
  const behind = log.events.slice(at + 1);
  for (const { type, seq } of behind)
    if (!CLOSING.includes(type)) faults.push(`Event ${seq} behind the kill is ${type}.`);
  if (log.events[at - 1]?.data.how !== "stolen") faults.push("The kill did not take the lease by force.");
  if (driver.reason !== "killed" || driver.code !== null)
    faults.push(`The driver ended as ${driver.reason} (${driver.code}).`);
  if (killer.reason !== "killed") faults.push(`The kill ended as ${killer.reason}.`);
  if (happened.length !== effectsAtKill)
    faults.push(`${happened.length - effectsAtKill} effects happened behind the kill.`);
  const refused = new Set(behind.flatMap(({ type, data }) => (type === "command.refused" ? [data.commandId] : [])));
  const late = sent.filter(({ sender }) => sender === "after" || (sender === "last" && scene.kill === "frozen"));
  for (const { commandId } of late)
    if (!refused.has(commandId)) faults.push(`${commandId} came too late and was not refused.`);
  if (late.length < (scene.kill === "frozen" ? 9 : 1)) faults.push("Too few commands came too late to prove anything.");
  return faults;
}

/** An input enters the prompt once at most. */
function takenOnce({ log }: Played): readonly string[] {
  const taken = log.events.flatMap(({ data }) => (Array.isArray(data.takes) ? data.takes : []));
  return new Set(taken).size === taken.length ? [] : ["An input was taken into the prompt twice."];
}

/** A fork verifies, comes to its end, and asks what its parent had asked and more. */
function forkFaults({ log, requests }: Played, fork: ForkNote): readonly string[] {
  const faults = [...fork.findings, ...fork.requests.flatMap(requestFaults)];
  if (fork.reason !== "done") faults.push(`${fork.session} ended as ${fork.reason}.`);
  const asked = log.events.filter(({ type, seq }) => type === "model.requested" && seq <= fork.seq).length;
  const parent = requests[asked - 1];
  const [own] = fork.requests;
  if (own === undefined) faults.push(`${fork.session} asked nothing.`);
  else if (parent !== undefined) {
    const extended = parent.messages.every(
      (message, index) => JSON.stringify(message) === JSON.stringify(own.messages[index]),
    );
    if (!extended) faults.push(`${fork.session} (at event ${fork.seq}) does not go on from what its parent had asked.`);
  }
  return faults;
}
