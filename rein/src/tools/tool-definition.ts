import type { JsonObject } from "../core/json.ts";
import type { CallEffect, CallJudgement } from "../core/session/index.ts";
import type { InputOf, SchemaSource } from "./schema/input-of.ts";
import type { ToolContext } from "./tool-context.ts";

/** Who may be offered a tool, from nobody special to the system itself (R9.9). */
export const ACCESS_LEVELS = ["public", "trusted", "admin", "system"] as const;

/** One of {@link ACCESS_LEVELS}. */
export type AccessLevel = (typeof ACCESS_LEVELS)[number];

/** What people and registries want to know of a tool; Rein acts on none of it. */
export interface ToolAbout {
  readonly version?: string;
  readonly category?: string;
  /** What it needs to be granted outside Rein. */
  readonly permissions?: readonly string[];
  /** Time and resources a call usually takes. */
  readonly estimate?: { readonly ms?: number; readonly resources?: string };
  readonly limitations?: readonly string[];
  /** Programs, packages or services it needs. */
  readonly dependencies?: readonly string[];
}

/** Where a call happens. */
export interface CallScope {
  /** Absolute path of the workspace; relative paths of effects are resolved against it. */
  readonly folder: string;
}

/** A tool as its author writes it. A predicate that throws counts as the careful answer: not read-only, asks, touches everything. */
export interface ToolDefinition<Schema extends SchemaSource = SchemaSource, Output = unknown> {
  /** `^[a-zA-Z0-9_-]{1,64}$`, unique in a session. */
  readonly name: string;
  /** For the model: what it does, when to use it, what comes back. */
  readonly description: string;
  /** Arguments: a zod 4 schema, any Standard Schema v1, or a JSON Schema object. */
  readonly input: Schema;
  /** JSON Schema of the arguments, where the schema library does not write it itself. */
  readonly inputJsonSchema?: JsonObject;
  /** What the handler returns; another value is a fault of the tool. */
  readonly output?: SchemaSource;
  /**
   * Closed: a tool that names no level is refused. `public` also says that a call which touches nothing outside this
   * process (no effects, or only `state`) is harmless and runs unasked; at any other level such a call needs a rule, or
   * `readOnly`.
   */
  readonly access: AccessLevel;
  /**
   * What the call will do to the world; permits are minted for exactly these. Nothing outside this process: `() => []`.
   * Relative paths are resolved against the workspace.
   */
  readonly effects: (input: InputOf<Schema>, scope: CallScope) => readonly CallEffect[];
  /** Changes nothing anywhere. Default false; never true when an effect writes, executes or connects. */
  readonly readOnly?: (input: InputOf<Schema>) => boolean;
  /** Destroys what cannot be had back: always asks. Default false. */
  readonly destructive?: (input: InputOf<Schema>) => boolean;
  /** Resources it touches, so that calls which do not conflict run together; `path:` and a path for a file or folder. Default: from its effects. */
  readonly accesses?: (input: InputOf<Schema>, scope: CallScope) => CallJudgement["accesses"];
  /** The tool's own check: a reason to ask a person about this call, or undefined. */
  readonly ask?: (input: InputOf<Schema>) => string | undefined;
  /** After a crash: run again, let `reconcile` look, or say that the outcome is unknown. Default `rerun` when read-only, else `never`. */
  readonly recover?: CallJudgement["recover"];
  /** Looks what became of an interrupted call; it may only read. Undefined: cannot tell. */
  readonly reconcile?: (input: InputOf<Schema>, context: ToolContext) => unknown;
  /** Milliseconds; default 120,000. */
  readonly timeout?: number | ((input: InputOf<Schema>) => number);
  /** Bytes of the result that the model is shown whole; default that of the pipeline (32 KiB). */
  readonly limit?: number;
  readonly about?: ToolAbout;
  /**
   * Does the work. Returns text, content blocks, a {@link toolFailure}, or a value that is written as JSON. May throw: the
   * error becomes the result.
   */
  readonly run: (input: InputOf<Schema>, context: ToolContext) => Output | Promise<Output>;
}
