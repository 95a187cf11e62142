/** Commands become events, each exactly one. Pure. */
import { ok, type Result } from "../errors.ts";
import { isUnfinished } from "../session/is-unfinished.ts";
import type { Command, NewKernelEvent, SettingsChange } from "../session/kernel-events.ts";
import type { State } from "../session/part.ts";
import { statusOf } from "../session/status.ts";
import type { InboxEntry } from "../session/store.ts";
import { parseCommand } from "./parse-command.ts";

/** Whether a change of settings can be meant; rules are read by another room. */
export type CheckChange = (change: SettingsChange) => Result<void>;

/** The one event that an entry of the inbox becomes in this state: what it asks for, or `command.refused` with the reason. */
export function commandEvent(
  state: State,
  { commandId, payload }: InboxEntry,
  checkChange: CheckChange = () => ok(undefined),
): NewKernelEvent {
  const parsed = parseCommand(payload);
  if (!parsed.ok) return refused(commandId, parsed.kind, parsed.fault);
  const { command } = parsed;
  const checked = command.kind === "settings" ? checkChange(command.change) : ok(undefined);
  if (!checked.ok) return refused(commandId, command.kind, `${checked.error.message} ${checked.error.hint}`);
  return eventOfCommand(state, commandId, command);
}

/** The same for a command that is at hand; for what a caller of `run` wants before anything else. */
export function eventOfCommand(state: State, commandId: string, command: Command): NewKernelEvent {
  const { run, paused, terminated } = state.kernel;
  // After a kill nothing counts any more, not even before the run has come to its end.
  if (terminated || run.stopping === "killed") {
    return refused(commandId, command.kind, "The session is terminated.", callOf(command));
  }
  switch (command.kind) {
    case "input":
      return { type: "input.received", data: { commandId, mode: command.mode, content: command.content } };
    case "approve":
    case "deny":
      return answer(state, commandId, command);
    case "interrupt":
      return run.active
        ? { type: "run.interrupted", data: { commandId, by: "command" } }
        : notNow(state, commandId, command);
    case "kill":
      return { type: "run.killed", data: { commandId, reason: command.reason } };
    case "stop":
      return run.active ? { type: "run.stopped", data: { commandId } } : notNow(state, commandId, command);
    case "pause":
      return paused ? notNow(state, commandId, command) : { type: "run.paused", data: { commandId } };
    case "resume":
      return paused || isUnfinished(state.kernel)
        ? { type: "run.resumed", data: { commandId } }
        : notNow(state, commandId, command);
    case "settings":
      return { type: "settings.changed", data: { commandId, change: command.change } };
  }
}

function answer(state: State, commandId: string, command: Command & { kind: "approve" | "deny" }): NewKernelEvent {
  const { kind, call: key } = command;
  const call = state.kernel.open?.calls.find((open) => open.call === key);
  if (call === undefined) return refused(commandId, kind, "No such call is open.", key);
  if (call.status !== "asking") {
    return refused(commandId, kind, `The call is not waiting for an answer; it is ${call.status}.`, key);
  }
  const digest = call.judgement?.digest ?? "";
  if (command.digest !== undefined && command.digest !== digest) {
    return refused(commandId, kind, "The answer is for another call: the digest differs.", key);
  }
  const note = command.note === undefined ? {} : { note: command.note };
  return { type: "approval.answered", data: { commandId, call: key, digest, answer: kind, ...note } };
}

function notNow(state: State, commandId: string, command: Command): NewKernelEvent {
  return refused(commandId, command.kind, `The session is ${statusOf(state)}.`);
}

function refused(commandId: string, kind: string, reason: string, call?: string): NewKernelEvent {
  return {
    type: "command.refused",
    data: call === undefined ? { commandId, kind, reason } : { commandId, kind, reason, call },
  };
}

function callOf(command: Command): string | undefined {
  return command.kind === "approve" || command.kind === "deny" ? command.call : undefined;
}
