/** Commands of an inbox become events, each exactly one. Pure. */
import { isJsonObject, parseJson } from "../json.ts";
import type { Command, NewKernelEvent } from "../session/kernel-events.ts";
import type { State } from "../session/part.ts";
import { statusOf } from "../session/status.ts";
import type { InboxEntry } from "../session/store.ts";

const KINDS: readonly string[] = [
  "input",
  "approve",
  "deny",
  "interrupt",
  "kill",
  "stop",
  "pause",
  "resume",
  "settings",
];

/** The one event that a command becomes in this state: what it asks for, or `command.refused` with the reason. */
export function commandEvent(state: State, entry: InboxEntry): NewKernelEvent {
  const command = parseCommand(entry.payload);
  const { commandId } = entry;
  if (command === null) return refused(commandId, "invalid", "It is not a command this version knows.");
  if (state.kernel.terminated || state.kernel.run.stopping === "killed")
    return refused(commandId, command.kind, "The session is terminated.", callOf(command));
  switch (command.kind) {
    case "input":
      return { type: "input.received", data: { commandId, mode: command.mode, content: command.content } };
    case "approve":
    case "deny":
      return answer(state, commandId, command);
    case "interrupt":
      if (!state.kernel.run.active) return notNow(state, commandId, command);
      return { type: "run.interrupted", data: { commandId, by: "command" } };
    case "kill":
      return { type: "run.killed", data: { commandId, reason: command.reason } };
    case "stop":
      if (!state.kernel.run.active) return notNow(state, commandId, command);
      return { type: "run.stopped", data: { commandId } };
    case "pause":
      if (state.kernel.paused) return notNow(state, commandId, command);
      return { type: "run.paused", data: { commandId } };
    case "resume":
      if (!state.kernel.paused) return notNow(state, commandId, command);
      return { type: "run.resumed", data: { commandId } };
    case "settings":
      return { type: "settings.changed", data: { commandId, change: command.change } };
  }
}

/** Reads a command; null when it is none. */
export function parseCommand(payload: string): Command | null {
  const parsed = parseJson(payload, "A command");
  if (!parsed.ok || !isJsonObject(parsed.value)) return null;
  return isCommand(parsed.value) ? parsed.value : null;
}

function isCommand(value: unknown): value is Command {
  if (!isJsonObject(value) || typeof value["kind"] !== "string" || !KINDS.includes(value["kind"])) return false;
  switch (value["kind"]) {
    case "input":
      return (
        ["start", "steer", "follow-up"].includes(String(value["mode"])) &&
        Array.isArray(value["content"]) &&
        value["content"].every(isBlock)
      );
    case "approve":
    case "deny":
      return typeof value["call"] === "string";
    case "kill":
      return typeof value["reason"] === "string";
    case "settings":
      return isJsonObject(value["change"]);
    default:
      return true;
  }
}

function isBlock(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  if (value["type"] === "text") return typeof value["text"] === "string";
  return value["type"] === "image" || value["type"] === "document";
}

function answer(state: State, commandId: string, command: Command & { kind: "approve" | "deny" }): NewKernelEvent {
  const call = state.kernel.open?.calls.find((open) => open.call === command.call);
  if (call === undefined) return refused(commandId, command.kind, "No such call is open.", command.call);
  if (call.status !== "asking")
    return refused(
      commandId,
      command.kind,
      `The call is not waiting for an answer; it is ${call.status}.`,
      command.call,
    );
  const digest = call.judgement?.digest ?? "";
  if (command.digest !== undefined && command.digest !== digest) {
    return refused(commandId, command.kind, "The answer is for another call: the digest differs.", command.call);
  }
  const note = command.note === undefined ? {} : { note: command.note };
  return { type: "approval.answered", data: { commandId, call: command.call, digest, answer: command.kind, ...note } };
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
