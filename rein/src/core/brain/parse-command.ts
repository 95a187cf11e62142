import { isJsonObject, type JsonObject, type JsonValue, own, parseJson } from "../json.ts";
import { inputBlockFault, isInputBlock } from "../message/index.ts";
import type { Command } from "../session/kernel-events.ts";
import { isSettingsChange, settingsFault } from "./settings-fault.ts";

/** A command, or why a text is none. */
export type ParsedCommand =
  | { readonly ok: true; readonly command: Command }
  | { readonly ok: false; readonly kind: string; readonly fault: string };

type Kind = Command["kind"];

/** Reads the members of each kind: a command, or what is wrong with it. */
const READERS: Readonly<Record<Kind, (body: JsonObject) => Command | string>> = {
  input: readInput,
  approve: (body) => readAnswer("approve", body),
  deny: (body) => readAnswer("deny", body),
  interrupt: () => ({ kind: "interrupt" }),
  kill: readKill,
  stop: () => ({ kind: "stop" }),
  pause: () => ({ kind: "pause" }),
  resume: () => ({ kind: "resume" }),
  settings: readSettings,
};

/** Reads a command from the text of an inbox. */
export function parseCommand(payload: string): ParsedCommand {
  const parsed = parseJson(payload, "The command");
  if (!parsed.ok) return { ok: false, kind: "invalid", fault: parsed.error.message };
  if (!isJsonObject(parsed.value)) return { ok: false, kind: "invalid", fault: "The command is no object." };
  const kind = own(parsed.value, "kind");
  if (!isKind(kind)) return { ok: false, kind: "invalid", fault: "It is not a command this version knows." };
  const read = READERS[kind](parsed.value);
  return typeof read === "string" ? { ok: false, kind, fault: read } : { ok: true, command: read };
}

function isKind(kind: JsonValue | undefined): kind is Kind {
  return typeof kind === "string" && Object.hasOwn(READERS, kind);
}

function readInput(body: JsonObject): Command | string {
  const mode = own(body, "mode");
  if (mode !== "start" && mode !== "steer" && mode !== "follow-up")
    return "Its mode is none of start, steer, follow-up.";
  const content = own(body, "content");
  if (!Array.isArray(content)) return "Its content is no list of blocks.";
  if (!content.every(isInputBlock)) {
    const fault = content
      .map((block, index) => inputBlockFault(block, `content[${index}]`))
      .find((one) => one !== null);
    return `Its ${fault?.path} ${fault?.fault}.`;
  }
  const blank = content.every((block) => block.type === "text" && block.text.trim() === "");
  return blank ? "It says nothing: give text, an image or a document." : { kind: "input", mode, content };
}

function readAnswer(kind: "approve" | "deny", body: JsonObject): Command | string {
  const call = own(body, "call");
  const digest = own(body, "digest");
  const note = own(body, "note");
  if (typeof call !== "string") return "It names no call.";
  if (digest !== undefined && typeof digest !== "string") return "Its digest is no text.";
  if (note !== undefined && typeof note !== "string") return "Its note is no text.";
  return { kind, call, ...(digest !== undefined && { digest }), ...(note !== undefined && { note }) };
}

function readKill(body: JsonObject): Command | string {
  const reason = own(body, "reason");
  return typeof reason === "string" ? { kind: "kill", reason } : "Its reason is no text.";
}

function readSettings(body: JsonObject): Command | string {
  const change = own(body, "change");
  return isSettingsChange(change) ? { kind: "settings", change } : (settingsFault(change) ?? "");
}
