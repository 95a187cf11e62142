import type { JsonObject } from "../../core/json.ts";
import type { Conversation } from "./conversation.ts";

/** A block that a rule answers with; the model gives calls their ids. */
export type Said =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "call"; readonly tool: string; readonly input: JsonObject };

/** One rule. Both functions are pure: they see the conversation and nothing else. */
export interface Rule {
  readonly name: string;
  readonly when: (conversation: Conversation) => boolean;
  /** Answers with at least one block; without a call, the run ends. */
  readonly respond: (conversation: Conversation) => readonly Said[];
}

/** A way to deal with one kind of task: an ordered list of rules, of which the first that holds responds. */
export interface Playbook {
  readonly name: string;
  /** What it does, in one sentence, for a person who asks what the model can do. */
  readonly purpose: string;
  /** Tasks that it takes, as a person would write them. */
  readonly examples: readonly string[];
  /** Whether a text asks for it. */
  readonly asks: (text: string) => boolean;
  /** The last rule should hold always. */
  readonly rules: readonly Rule[];
}
