import type { JsonObject } from "../../core/json.ts";
import type { Outcome } from "./outcome-of.ts";

/** A call that was made in the current task, with what came of it. */
export interface PastCall {
  readonly tool: string;
  readonly input: JsonObject;
  readonly outcome: Outcome;
  /** Text of the result, all blocks joined; empty when there is none. */
  readonly text: string;
  readonly errorType?: string;
}

/** What a rule sees: the request, read. Nothing else is known to it, so equal requests get equal answers. */
export interface Conversation {
  /** What the person asked for: text of the message that began the current task. */
  readonly task: string;
  /** What the person said since, while the work went on. */
  readonly remarks: readonly string[];
  /** Calls of the current task, oldest first. */
  readonly calls: readonly PastCall[];
  /** What the model itself said in the current task, oldest first. */
  readonly said: readonly string[];
  /** Names of the tools that are offered. */
  readonly offered: readonly string[];
}

/** Whether a tool is offered in this request. */
export function offers(conversation: Pick<Conversation, "offered">, tool: string): boolean {
  return conversation.offered.includes(tool);
}
