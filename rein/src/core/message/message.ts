/** Messages and their content blocks (R2.1): what a model reads and writes, in no provider's form. */
import type { JsonObject, JsonValue } from "../json.ts";

/** Plain text. */
export interface TextBlock {
  readonly type: "text";
  readonly text: string;
}

/** The model's reasoning. `signature` is opaque, belongs to `vendor` and is kept byte for byte. */
export interface ThinkingBlock {
  readonly type: "thinking";
  readonly text: string;
  readonly signature?: string;
  /** The vendor whose signature it is; another vendor never gets it. */
  readonly vendor?: string;
  /** The vendor hid the text; `signature` holds its opaque data. */
  readonly redacted?: boolean;
}

/** The model asks for a tool. */
export interface ToolUseBlock {
  readonly type: "tool_use";
  /** The id the provider gave; unique only by luck. Rein names calls by {@link callKey}. */
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  /** Raw argument text that was not a JSON object, or one nested too deeply; then `input` is empty and the call is never run. */
  readonly malformed?: string;
}

/** What came of a call. */
export interface ToolResultBlock {
  readonly type: "tool_result";
  /** The `id` of the tool_use it answers. */
  readonly id: string;
  readonly content: readonly (TextBlock | ImageBlock | DocumentBlock)[];
  readonly isError: boolean;
  /** Present when `isError`: an error code or the outcome (`denied`, `interrupted`, `unknown` …). */
  readonly errorType?: string;
}

/** Where bytes come from: inline base64, a blob of the store, or an address. */
export type MediaSource =
  | { readonly kind: "base64"; readonly data: string }
  | { readonly kind: "blob"; readonly hash: string; readonly size: number }
  | { readonly kind: "url"; readonly url: string };

/** A picture. */
export interface ImageBlock {
  readonly type: "image";
  readonly mediaType: string;
  readonly source: MediaSource;
}

/** A document (PDF, text …). */
export interface DocumentBlock {
  readonly type: "document";
  readonly mediaType: string;
  readonly source: MediaSource;
  readonly name?: string;
}

/** A block this version does not know; its JSON text is kept as it came, since parse-and-print changes numbers and key order. */
export interface UnknownBlock {
  readonly type: "unknown";
  readonly raw: string;
}

/** One piece of a message. */
export type Block =
  | TextBlock
  | ThinkingBlock
  | ToolUseBlock
  | ToolResultBlock
  | ImageBlock
  | DocumentBlock
  | UnknownBlock;

/** Who speaks. `developer` is the harness itself. */
export type Role = "system" | "developer" | "user" | "assistant" | "tool";

/** One message. */
export interface Message {
  readonly role: Role;
  readonly content: readonly Block[];
  readonly id?: string;
  readonly parentId?: string;
  /** Milliseconds since 1970. */
  readonly at?: number;
  readonly metadata?: Readonly<Record<string, JsonValue>>;
}

/** Rein's own name of a call: seq of the event that holds the message, and the place of the block in it. `17.0`. */
export function callKey(seq: number, block: number): string {
  return `${seq}.${block}`;
}

/** All text blocks of a content, each beginning on a line of its own. */
export function textOf(content: readonly Block[]): string {
  let text = "";
  let last = "\n";
  for (const block of content) {
    if (block.type !== "text" || block.text === "") continue;
    // Only the new piece is looked at: a look at the whole would join it anew each time.
    text += last === "\n" ? block.text : `\n${block.text}`;
    last = block.text.slice(-1);
  }
  return text;
}
