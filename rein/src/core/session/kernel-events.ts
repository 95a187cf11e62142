/**
 * The kernel's own events. Each entry of {@link KernelEvents} is the data of one event type. Other rooms add their own
 * types through their part; an embedder's types start with `x.` and are kept and ignored.
 */
import type { ErrorClass, ErrorCode } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import type { Block, DocumentBlock, ImageBlock, TextBlock } from "../message/message.ts";
import type { EventDefinition, NewEvent, SessionEvent } from "./event.ts";
import type { Owner } from "./store.ts";

/** Why the next model request is made (R1.2). Closed. */
export type Transition =
  | "start"
  | "next_turn"
  | "compact_retry"
  | "output_truncated"
  | "hook_blocking"
  | "budget_continue"
  | "model_retry"
  | "model_fallback"
  | "paused"
  | "reflection"
  | "context_reset"
  | "interrupted"
  | "spinning"
  | "follow_up"
  | "goal_pending"
  | "recovered";

/** Why a run ended (R1.3). Closed. */
export type EndReason =
  | "done"
  | "stopped"
  | "goal_reached"
  | "goal_missed"
  | "max_turns"
  | "max_model_calls"
  | "max_tokens"
  | "max_cost"
  | "max_time"
  | "spinning"
  | "refused"
  | "interrupted"
  | "killed"
  | "failed";

/** What a run may use; absent means no limit. */
export interface Limits {
  /** Model calls with their results, per run. */
  readonly maxTurns?: number;
  /** Model calls per run, retries included. */
  readonly maxModelCalls?: number;
  /** Input and output tokens per run, as the model reports them. */
  readonly maxTokens?: number;
  /** US dollars per run. */
  readonly maxCost?: number;
  /** Milliseconds of wall clock per run, waiting included; a timer ends the run, whatever is in flight. */
  readonly maxTime?: number;
  /** A run that stops before it has used this many tokens is told to go on (`budget_continue`), at most 3 times. */
  readonly minTokens?: number;
}

/** A goal is judged on its metric, not on the model's word (R1.3). */
export interface Goal {
  readonly text: string;
  readonly keywords: readonly string[];
  /** Name of a measure given to `createAgent`; it returns a number. */
  readonly metric: string;
  /** Reached when the measure is at least this. */
  readonly target: number;
  /** Turns after which the goal counts as missed. */
  readonly deadlineTurns: number;
}

/** How durable a commit is. See docs/architecture.md, *Durability*. */
export type Durability = "memory" | "normal" | "strict";

/** What a session is made with; `resume` uses these, a flag given to it becomes `settings.changed`. */
export interface SessionSettings {
  /** Model ids in order of preference: the first is used, the others are fall-backs. */
  readonly models: readonly string[];
  /** Absolute path of the workspace. */
  readonly folder: string;
  /** Allow and deny rules, as given. */
  readonly rules: { readonly allow: readonly string[]; readonly deny: readonly string[] };
  readonly limits: Limits;
  readonly durability: Durability;
  /** Whether someone can be asked: `deny` means nobody, `wait` means the run waits for an answer. */
  readonly ask: "deny" | "wait";
  /** One call at a time, with stage labels in the stream (R1.5). */
  readonly linear: boolean;
  /** Calls of one message that may run at once; default 10. */
  readonly parallel?: number;
  readonly goal?: Goal;
  readonly appendSystemPrompt?: string;
}

/** Tokens of one model call, kept apart. */
export interface Usage {
  /** Input tokens that were neither read from nor written to a cache. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  /** Part of `output` spent on reasoning, where the provider says. */
  readonly reasoning?: number;
  /** US dollars; absent when the price is not known. */
  readonly cost?: number;
  /** The provider reported nothing: the figures are an estimate. */
  readonly estimated?: boolean;
}

/** Why a model stopped. Closed. */
export type StopReason = "end" | "tool_use" | "max_output" | "stop_sequence" | "refusal" | "content_filter" | "pause";

/** An effect of a call on the world, as guard judges it and hands carry it out. */
export type CallEffect =
  | { readonly kind: "read"; readonly path: string }
  | { readonly kind: "read-tree"; readonly path: string }
  | { readonly kind: "write"; readonly path: string }
  | { readonly kind: "execute"; readonly command: string; readonly cwd: string }
  | { readonly kind: "execute-argv"; readonly argv: readonly string[]; readonly cwd: string }
  | { readonly kind: "connect"; readonly host: string; readonly port: number }
  | { readonly kind: "state"; readonly what: string };

/** What the gate says of a call (after combination). */
export interface CallJudgement {
  readonly decision: "allow" | "ask" | "deny";
  /** Name of the policy that decided. */
  readonly policy: string;
  readonly reason: string;
  /** SHA-256 of the final call: tool, arguments, folder, and each effect with the real path it leads to. An approval is bound to it. */
  readonly digest: string;
  readonly effects: readonly CallEffect[];
  /** Changes nothing in the world. */
  readonly readOnly: boolean;
  /** What to do with it after a crash. */
  readonly recover: "rerun" | "reconcile" | "never";
  /** What it touches, for the partition: two calls conflict when one writes what the other touches. `*` is everything. */
  readonly accesses: readonly { readonly resource: string; readonly write: boolean }[];
  /** Final arguments, when a policy or a repair changed the model's own; those stay byte-exact in the message. */
  readonly input?: JsonObject;
}

/** How a call ended. `unknown`: it had begun and nobody can say whether it took effect. */
export type CallOutcome = "ok" | "error" | "denied" | "interrupted" | "cancelled" | "unknown";

/** Blocks that a tool result may hold. */
export type ResultContent = readonly (TextBlock | ImageBlock | DocumentBlock)[];

/** Commands of an inbox. */
export type Command =
  | { readonly kind: "input"; readonly mode: "start" | "steer" | "follow-up"; readonly content: readonly Block[] }
  | { readonly kind: "approve" | "deny"; readonly call: string; readonly digest?: string; readonly note?: string }
  | { readonly kind: "interrupt" }
  | { readonly kind: "kill"; readonly reason: string }
  | { readonly kind: "stop" }
  | { readonly kind: "pause" }
  | { readonly kind: "resume" }
  | { readonly kind: "settings"; readonly change: SettingsChange };

/** What may be changed while a session lives. */
export type SettingsChange = Partial<Pick<SessionSettings, "models" | "limits" | "rules" | "ask">>;

/** Data of each kernel event. */
export interface KernelEvents {
  "session.created": {
    readonly settings: SessionSettings;
    readonly gates: readonly string[];
    readonly parent?: string;
  };
  /** First event of a fork; open calls of the parent are closed by the events that follow. */
  "session.forked": {
    readonly parent: string;
    readonly seq: number;
    readonly hash: string;
    /** The parent is an import that lost its allow rules behind this place: they do not come back in the child. */
    readonly imported?: true;
  };
  /** First event of an imported session's new life. */
  "session.imported": { readonly from: string; readonly hash: string; readonly lost: number };
  /** A process took the session up. `how`: new, after a clean release, after an expiry or death, or by force. */
  "brain.woke": {
    readonly token: number;
    readonly owner: Owner;
    readonly how: "created" | "released" | "recovered" | "stolen";
  };
  "settings.changed": { readonly commandId: string | null; readonly change: SettingsChange };
  "input.received": {
    readonly commandId: string;
    readonly mode: "start" | "steer" | "follow-up";
    readonly content: readonly Block[];
  };
  /** A command that came too late, twice, or for nothing. */
  "command.refused": {
    readonly commandId: string;
    readonly kind: string;
    readonly reason: string;
    readonly call?: string;
  };
  "run.started": { readonly run: number };
  "run.interrupted": { readonly commandId: string | null; readonly by: "command" | "caller" };
  /** Ends the run at the next safe point. */
  "run.stopped": { readonly commandId: string };
  "run.paused": { readonly commandId: string };
  "run.resumed": { readonly commandId: string };
  "run.killed": { readonly commandId: string; readonly reason: string };
  "run.ended": { readonly run: number; readonly reason: EndReason; readonly error?: EventError };
  /** Intent: the request leaves right after this commit. `takes` are the seqs of the inputs that enter the prompt with it. */
  "model.requested": {
    readonly turn: number;
    readonly attempt: number;
    readonly model: string;
    readonly transition: Transition;
    readonly takes: readonly number[];
    /** The raised output limit is in force. */
    readonly escalated: boolean;
  };
  "model.responded": {
    readonly turn: number;
    readonly content: readonly Block[];
    readonly stop: StopReason;
    readonly usage: Usage;
    /** Milliseconds, by a monotonic clock. */
    readonly duration: number;
    /** Vendor that wrote it. */
    readonly vendor?: string;
  };
  "model.failed": {
    readonly turn: number;
    readonly attempt: number;
    readonly error: EventError;
    /** Milliseconds to wait before the next attempt, where a retry makes sense. */
    readonly retryAfter?: number;
    readonly duration: number;
  };
  /** The stream ended without a message: a crash, an interrupt. `text` is what had been streamed. */
  "model.interrupted": { readonly turn: number; readonly text: string; readonly by: "crash" | "interrupt" };
  /** The harness speaks to the model. `transition` is what the next request is made for. */
  "notice.added": { readonly kind: string; readonly text: string; readonly transition?: Transition };
  "call.judged": { readonly call: string } & CallJudgement;
  "approval.requested": { readonly call: string; readonly digest: string; readonly shows: string };
  "approval.answered": {
    readonly commandId: string;
    readonly call: string;
    readonly digest: string;
    readonly answer: "approve" | "deny";
    readonly note?: string;
  };
  /** Intent: the tool runs right after this commit. */
  "tool.started": { readonly call: string; readonly attempt: number };
  /** Intent: a process of a tool. It waits in its launcher until this commit is durable. */
  "process.started": {
    readonly call: string;
    readonly host: string;
    readonly bootId: string;
    readonly pidNamespace: string;
    readonly pid: number;
    readonly pidStart: string;
    readonly group: number;
    /** Random environment value by which members that left the group are found. */
    readonly mark: string;
  };
  /** After a crash: the call changed nothing, so it runs again. */
  "tool.requeued": { readonly call: string };
  "tool.finished": {
    readonly call: string;
    readonly outcome: CallOutcome;
    readonly content: ResultContent;
    readonly errorType?: string;
    readonly duration: number;
    /** Milliseconds of each pipeline stage. */
    readonly stages?: Readonly<Record<string, number>>;
    /** What the result was before it was cut, in bytes. */
    readonly originalBytes?: number;
  };
  /** Something that entered the prompt from outside the log. */
  "context.captured": { readonly source: string; readonly blob: string; readonly size: number };
  "tools.changed": { readonly blob: string; readonly names: readonly string[] };
  /** The oldest `items` entries of the history were replaced by a summary. */
  "history.compacted": { readonly items: number; readonly summary: string; readonly transition: Transition };
  "goal.measured": { readonly turn: number; readonly value: number };
  "timer.set": { readonly name: string; readonly length: number };
  "timer.fired": { readonly name: string };
  "timer.rearmed": { readonly name: string; readonly remaining: number };
  /** Newest commits went with a loss of power; what happened among them is unknown. */
  "store.lost": { readonly from: number; readonly to: number; readonly message: string };
  "effect.failed": { readonly id: string; readonly kind: string; readonly error: EventError };
  /** A hook or checker of the embedder holds the end of the run up. */
  "run.blocked": { readonly source: string; readonly text: string };
}

/** An error as it stands in a log: JSON only, no cause. */
export interface EventError {
  readonly class: ErrorClass;
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
}

/** Any kernel event type. */
export type KernelEventType = keyof KernelEvents;

/** Any kernel event, told apart by `type`. */
export type KernelEvent = { [T in KernelEventType]: SessionEvent<T, KernelEvents[T]> }[KernelEventType];

/** Any new kernel event. */
export type NewKernelEvent = { [T in KernelEventType]: NewEvent<T, KernelEvents[T]> }[KernelEventType];

/** Versions of the kernel's events. */
export const KERNEL_EVENTS: Readonly<Record<KernelEventType, EventDefinition>> = {
  "session.created": { version: 1 },
  "session.forked": { version: 1 },
  "session.imported": { version: 1 },
  "brain.woke": { version: 1 },
  "settings.changed": { version: 1 },
  "input.received": { version: 1 },
  "command.refused": { version: 1 },
  "run.started": { version: 1 },
  "run.interrupted": { version: 1 },
  "run.stopped": { version: 1 },
  "run.paused": { version: 1 },
  "run.resumed": { version: 1 },
  "run.killed": { version: 1 },
  "run.ended": { version: 1 },
  "run.blocked": { version: 1 },
  "model.requested": { version: 1 },
  "model.responded": { version: 1 },
  "model.failed": { version: 1 },
  "model.interrupted": { version: 1 },
  "notice.added": { version: 1 },
  "call.judged": { version: 1 },
  "approval.requested": { version: 1 },
  "approval.answered": { version: 1 },
  "tool.started": { version: 1 },
  "process.started": { version: 1 },
  "tool.requeued": { version: 1 },
  "tool.finished": { version: 1 },
  "context.captured": { version: 1 },
  "tools.changed": { version: 1 },
  "history.compacted": { version: 1 },
  "goal.measured": { version: 1 },
  "timer.set": { version: 1 },
  "timer.fired": { version: 1 },
  "timer.rearmed": { version: 1 },
  "store.lost": { version: 1 },
  "effect.failed": { version: 1 },
};
