/** Makes the session of a case from messages in the neutral form, by the product's own writer. */
import { isJsonObject, type JsonObject, type JsonValue, own } from "../../json.ts";
import { type Block, callKey, type ToolUseBlock } from "../../message/index.ts";
import type { FakeTool } from "../../testing/fake-tools.ts";
import type { LoggedEvent } from "../../testing/read-log.ts";
import type { ScriptedStep } from "../../testing/scripted-model.ts";
import type { NewEvent } from "../event.ts";

/** One entry of a case's setup; those in words are not messages. */
export type Setup = readonly (JsonObject | string)[];

/** What plays a setup. */
export interface SetupPlay {
  readonly users: readonly string[];
  /** What the model says; behind it the process dies before the model has answered. */
  readonly script: readonly ScriptedStep[];
  /** Gives each call its first result; one without a result never ends. */
  readonly tool: FakeTool;
  /** Results that belong to no open call: a second one, or one of a call that nobody made. */
  readonly strays: (log: readonly LoggedEvent[]) => readonly NewEvent[];
}

/** Reads a setup. */
export function readSetup(setup: Setup): SetupPlay {
  const messages = setup.filter((entry) => typeof entry !== "string");
  const of = (role: string): readonly JsonObject[] => messages.filter((message) => own(message, "role") === role);
  const script = of("assistant").map((message) => ({ content: contentOf(message) }));
  const calls = script.flatMap(({ content }) => content.flatMap((block) => (block.type === "tool_use" ? block : [])));
  const results = of("tool").map((message) => ({ id: textIn(message, "callId"), text: textIn(message, "text") }));
  const first = calls.map(({ id }) => results.find((result) => result.id === id));
  const strays = results.filter((result) => !first.includes(result));
  const answers = first.map((result) => result?.text).values();
  return {
    users: of("user").map((message) => textIn(message, "text")),
    script,
    tool: { run: () => answers.next().value ?? new Promise<string>(() => undefined) },
    strays: (log) => strays.map(({ id, text }) => stray(keyOf(log, id), text)),
  };
}

function stray(call: string, text: string): NewEvent {
  return { type: "tool.finished", data: { call, outcome: "ok", content: [{ type: "text", text }], duration: 0 } };
}

/** The key of the call with this id; that of a call nobody made when there is none. */
function keyOf(log: readonly LoggedEvent[], id: string): string {
  for (const { seq, type, data } of log) {
    if (type !== "model.responded" || !isJsonObject(data) || !Array.isArray(data.content)) continue;
    const place = data.content.findIndex((block: JsonValue) => isJsonObject(block) && own(block, "id") === id);
    if (place >= 0) return callKey(seq, place);
  }
  return "0.0";
}

function contentOf(message: JsonObject): readonly Block[] {
  const text = textIn(message, "text");
  const calls = own(message, "calls");
  const blocks: Block[] = text === "" ? [] : [{ type: "text", text }];
  return [...blocks, ...(Array.isArray(calls) ? calls.filter(isJsonObject).map(callOf) : [])];
}

function callOf(call: JsonObject): ToolUseBlock {
  const raw = own(call, "argsRaw");
  const args = own(call, "args");
  const malformed = typeof raw === "string" ? { malformed: raw } : {};
  const input = isJsonObject(args) ? args : {};
  return { type: "tool_use", id: textIn(call, "id"), name: textIn(call, "name"), input, ...malformed };
}

function textIn(message: JsonObject, name: string): string {
  const value = own(message, name);
  return typeof value === "string" ? value : "";
}
