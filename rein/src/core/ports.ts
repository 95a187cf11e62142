/**
 * What one room needs of another, as ports. `agent.ts` joins them; nobody else knows both sides.
 * The store's port stands in `session/store.ts`, the shape of a part in `session/part.ts`.
 */
import type { Result } from "./errors.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { Message } from "./message/message.ts";
import type { Permit } from "./permit.ts";
import type {
  CallEffect,
  CallJudgement,
  CallOutcome,
  EventError,
  KernelEvents,
  ResultContent,
  SessionSettings,
  StopReason,
  Usage,
} from "./session/kernel-events.ts";
import type { StopSignal } from "./stop-signal.ts";

// ── clock ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Time and chance, the only way to them. */
export interface Clock {
  /** Wall clock, milliseconds since 1970; may step back. */
  now(): number;
  /** Milliseconds that only grow; for durations. */
  monotonic(): number;
  /** Resolves after `ms`, or at once when the signal aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once after `ms`, unless it is taken back by what is returned. A clock may leave it out: `sleep` does the same at more cost. */
  after?(ms: number, call: () => void): () => void;
  /** Lets timers and I/O of the process have their turn. A clock may leave it out: then long work is never parted. */
  breathe?(): Promise<void>;
  /** A new random id of 128 bits, as text safe in file names. */
  id(): string;
  /** A number from 0 (inclusive) to 1 (exclusive); for jitter. */
  random(): number;
}

// ── model ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A tool as the model sees it. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly input: JsonObject;
}

/** One request. Request n+1 of a session extends request n: same tools, same system, messages appended. */
export interface ModelRequest {
  readonly model: string;
  readonly system: string;
  readonly tools: readonly ToolSchema[];
  /** The session's own list, which the next request extends: copy what must outlive the stream. A copy for each would cost all that was said before. */
  readonly messages: readonly Message[];
  /** Most output tokens; absent means the model's own maximum. */
  readonly maxOutput?: number;
  /** Session and turn, for logs and scripted models; never sent. */
  readonly trace: { readonly session: string; readonly turn: number; readonly attempt: number };
}

/** What a model streams, and then the end. Exactly one `done` or `error` comes, last. */
export type ModelStreamPart =
  | {
      readonly type: "block_start";
      readonly index: number;
      readonly block: "text" | "thinking" | "tool_use";
      readonly id?: string;
      readonly name?: string;
    }
  | { readonly type: "text_delta"; readonly index: number; readonly text: string }
  | { readonly type: "thinking_delta"; readonly index: number; readonly text: string }
  | { readonly type: "input_delta"; readonly index: number; readonly json: string }
  | { readonly type: "block_end"; readonly index: number }
  | {
      readonly type: "done";
      readonly content: Message["content"];
      readonly stop: StopReason;
      /** A figure that is negative or no number counts as 0, and the whole as estimated. */
      readonly usage: Usage;
      readonly vendor?: string;
    }
  | { readonly type: "error"; readonly error: EventError; readonly retryAfter?: number };

/** What a model can do. */
export interface ModelCapabilities {
  readonly images: boolean;
  readonly documents: boolean;
  readonly parallelCalls: boolean;
  /** Tokens of the context window; absent when unknown. */
  readonly window?: number;
}

/** The model port. A fault comes as an `error` part, never as an exception. */
export interface Model {
  /** Ids this model answers to; the first is its name. */
  readonly id: string;
  capabilities(model: string): ModelCapabilities;
  /** Streams one message. Ends soon after `signal` aborts. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelStreamPart>;
}

// ── guard ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A call as the gate sees it: redacted, its arguments validated, its effects worked out by the tool. */
export interface CallToJudge {
  readonly session: string;
  readonly call: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly effects: readonly CallEffect[];
  readonly readOnly: boolean;
  /** The tool's access level is `public`: it may be called unasked where it touches nothing outside this process. Default false. */
  readonly isPublic?: boolean;
  /** The tool's own check said so: an explicit ask. */
  readonly ownAsk?: string;
  /** How often a policy has changed the arguments already; default 0. After the third change the next one is a denial. */
  readonly changes?: number;
  readonly folder: string;
  readonly rules: SessionSettings["rules"];
  readonly ask: SessionSettings["ask"];
}

/** The gate's answer before the pipeline adds what it knows. */
export type Verdict = Pick<CallJudgement, "decision" | "policy" | "reason" | "digest" | "effects"> & {
  /** New arguments by a policy; the pipeline validates them and asks again (at most 3 times). */
  readonly input?: JsonObject;
  /** Where the path of each effect (of a command its folder) really leads, in their order; null where it has none. Calls are told apart by these. */
  readonly reals?: readonly (string | null)[];
};

/** The guard port. */
export interface Guard {
  /** Judges a call. Pure policies answer at once; a promise means that someone outside is asked. */
  judge(call: CallToJudge): Verdict | Promise<Verdict>;
  /**
   * Judges again at execution and mints a permit for each effect. `approved` is the digest a person approved, if any.
   * Denied or changed since: `tool_denied`.
   */
  admit(call: CallToJudge, approved: string | null): Promise<Result<readonly Permit[]>>;
}

// ── hands ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** What `process.started` says of a process. */
export type ProcessIdentity = Omit<KernelEvents["process.started"], "call">;

/** A finished process. */
export interface ProcessResult {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Bytes the process wrote in all; more than kept when the output was cut. */
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  readonly timedOut: boolean;
}

/** How a process runs. */
export interface ProcessOptions {
  readonly signal: AbortSignal;
  /** Milliseconds; the whole group is ended then. */
  readonly timeout: number;
  /** Commits `process.started`; the process does not begin before it resolves. */
  readonly announce: (identity: ProcessIdentity) => Promise<Result<void>>;
  /** Live output. */
  readonly onOutput?: (stream: "stdout" | "stderr", text: string) => void;
  readonly stdin?: string;
  /** Bytes kept of each stream (head and tail); default 1 MiB. */
  readonly maxOutput?: number;
}

/** A file or folder below a tree. */
export interface TreeEntry {
  /** Relative to the tree, with `/`. */
  readonly path: string;
  readonly kind: "file" | "folder" | "link" | "other";
  readonly size: number;
}

/** Files read. */
export interface FileContent {
  readonly bytes: Uint8Array;
  /** Real size; more than `bytes` when cut. */
  readonly size: number;
}

/** A walk over a tree under one permit. Links are named, never followed; nothing outside the tree is read. */
export interface TreeReader {
  /** Depth first, names sorted; `skip` true leaves an entry (and what is below it) out. */
  entries(options: {
    readonly skip?: (entry: TreeEntry) => boolean;
    readonly signal: AbortSignal;
  }): AsyncIterable<TreeEntry>;
  read(path: string, maxBytes: number): Promise<Result<FileContent>>;
}

/**
 * The hands port: the only way to files, processes and the network for tools. Each method takes the effect and a permit
 * that guard minted for exactly that effect; without it, `permit_missing` or `permit_mismatch` and nothing happens.
 */
export interface Hands {
  readonly name: string;
  /** What it contains, in a sentence; `plain` says that it contains nothing. */
  readonly containment: string;
  readFile(
    permit: Permit,
    effect: CallEffect & { kind: "read" },
    options: { readonly maxBytes: number },
  ): Promise<Result<FileContent>>;
  /** Writes whole, atomically, by a new file and a rename; folders are made. Follows no link in the last component. */
  writeFile(permit: Permit, effect: CallEffect & { kind: "write" }, bytes: Uint8Array): Promise<Result<void>>;
  openTree(permit: Permit, effect: CallEffect & { kind: "read-tree" }): Promise<Result<TreeReader>>;
  execute(
    permit: Permit,
    effect: CallEffect & { kind: "execute" | "execute-argv" },
    options: ProcessOptions,
  ): Promise<Result<ProcessResult>>;
  /** Ends the survivors of a process that an earlier life of the session started: its group and all that carry its mark. */
  endSurvivors(identity: ProcessIdentity): Promise<Result<{ readonly ended: number }>>;
  /** Ends everything this object has started. */
  dispose(): Promise<void>;
}

// ── redact ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Removes secrets before an event exists. */
export interface Redact {
  /** The text with each known secret replaced by its mark `[secret:NAME]`. Same object back when nothing was found. */
  text(text: string): string;
  /** All strings of a value, keys included. */
  value<T extends JsonValue>(value: T): T;
  /** A filter for deltas that holds back a tail that may be the start of a secret; `flush` gives the rest. */
  stream(): { push(text: string): string; flush(): string };
  /** Whether any secret is known; when not, callers may skip the work. */
  readonly active: boolean;
  /** Names of marks in a text. */
  marks(text: string): readonly string[];
}

// ── tools ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A call of the current message, as the driver hands it to the tools room. */
export interface PendingCall {
  readonly session: string;
  /** {@link callKey}. */
  readonly call: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly malformed?: string;
  readonly settings: SessionSettings;
  /** The names the model was offered. */
  readonly offered: readonly string[];
}

/** What a running tool may do besides returning. */
export interface CallContext {
  readonly signal: AbortSignal;
  /** The same for who can do without a real signal. */
  readonly stop?: StopSignal;
  readonly announce: ProcessOptions["announce"];
  /** A progress or output part for the caller of `run`; best effort. */
  readonly progress: (part: ToolProgress) => void;
}

/** Progress of a tool (R6.4). */
export type ToolProgress =
  | { readonly kind: "output"; readonly stream: "stdout" | "stderr"; readonly text: string }
  | { readonly kind: "step"; readonly step: number; readonly total?: number; readonly status: string };

/** What the pipeline gives back for an executed call; becomes `tool.finished`. */
export interface CallResult {
  readonly outcome: CallOutcome;
  readonly content: ResultContent;
  readonly errorType?: string;
  readonly originalBytes?: number;
  readonly stages?: Readonly<Record<string, number>>;
  readonly blobs?: readonly { readonly hash: string; readonly bytes: Uint8Array }[];
}

/** The tools port: registry and pipeline as the brain sees them. */
export interface Tools {
  /** Schemas in their fixed order. */
  readonly schemas: readonly ToolSchema[];
  /** Finds, validates and gates a call. Never fails: what is wrong is a judgement of `deny` with its reason. */
  judge(call: PendingCall): CallJudgement | Promise<CallJudgement>;
  /** Executes a judged call: admits it again, runs, processes the result. Never fails: an error is a result. */
  execute(
    call: PendingCall,
    judgement: CallJudgement,
    approved: string | null,
    context: CallContext,
  ): Promise<CallResult>;
  /** After a crash, for calls that say `reconcile`: what the tool finds, or null when it cannot tell. */
  reconcile(call: PendingCall, judgement: CallJudgement, context: CallContext): Promise<CallResult | null>;
}

// ── context ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** What is captured at the start of a session: it enters the log as `context.captured` and `tools.changed`. */
export interface Captured {
  /** Rendered system prompt, as bytes of a blob. */
  readonly system: string;
  readonly sources: readonly { readonly source: string; readonly text: string }[];
}

/** The context port: captures what the prompt starts with. Rendering of messages is core's projection. */
export interface Context {
  capture(settings: SessionSettings): Promise<Result<Captured>>;
}
