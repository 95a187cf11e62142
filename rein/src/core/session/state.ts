/** The kernel's slice of a session's state: what a fold over its events knows. It holds references and figures, never bodies. */
import type { Vector } from "../vector.ts";
import type {
  CallJudgement,
  CallOutcome,
  EndReason,
  EventError,
  SessionSettings,
  StopReason,
  Transition,
} from "./kernel-events.ts";

/** What a session is doing (R1.3). Closed. */
export type Status =
  | "idle"
  | "initializing"
  | "running"
  | "waiting"
  | "paused"
  | "resuming"
  | "completed"
  | "failed"
  | "terminated";

/** One entry of the history. An entry is whole: an assistant message comes with a result for each of its calls. */
export type HistoryItem =
  | { readonly kind: "input"; readonly seq: number }
  | { readonly kind: "assistant"; readonly seq: number; readonly calls: readonly ClosedCall[] }
  /** Text of a message that was cut by a crash or an interrupt. */
  | { readonly kind: "partial"; readonly seq: number }
  | { readonly kind: "notice"; readonly seq: number }
  | { readonly kind: "summary"; readonly seq: number };

/** A call that has its result. */
export interface ClosedCall {
  readonly call: string;
  /** Seq of its `tool.finished`. */
  readonly result: number;
}

/** A call of the message whose results are not complete yet. */
export interface OpenCall {
  readonly call: string;
  readonly name: string;
  readonly status: "new" | "judged" | "asking" | "approved" | "started" | "finished";
  readonly judgement: Pick<CallJudgement, "decision" | "digest" | "readOnly" | "recover" | "accesses"> | null;
  /** Seq of its `call.judged`. */
  readonly judged: number | null;
  readonly attempt: number;
  /** The message was cut: this call is never run. */
  readonly cut: boolean;
  /** Processes it started, for the resume. */
  readonly processes: readonly number[];
  /** Digest a person approved. */
  readonly approved: string | null;
  /** Token of the life that asked a person; another life asks anew. */
  readonly asked: number | null;
  /** A person said no; the note goes to the model. */
  readonly refused: boolean;
  /** Seq of the `approval.answered`. */
  readonly answered: number | null;
  readonly outcome: CallOutcome | null;
  readonly result: number | null;
}

/** The message whose calls are being carried out. */
export interface OpenMessage {
  readonly seq: number;
  readonly turn: number;
  readonly calls: readonly OpenCall[];
}

/** An input that has not entered the prompt. */
export interface PendingInput {
  readonly seq: number;
  /** `erased`: nothing waits for it any more; a request that took it before the erasure still shows its place. */
  readonly mode: "start" | "steer" | "follow-up" | "erased";
}

/** Where the model call of the current turn stands. */
export interface ModelState {
  readonly phase: "idle" | "requested" | "responded" | "discarded" | "failed" | "interrupted";
  readonly turn: number;
  /** Requests of this turn so far. */
  readonly attempt: number;
  /** Failures of this turn with the current model. */
  readonly failures: number;
  readonly stop: StopReason | null;
  readonly failure: { readonly error: EventError; readonly retryAfter: number | null } | null;
  readonly hadCalls: boolean;
}

/** Locks and counters of the recovery paths; only normal progress resets them. */
export interface Recovery {
  readonly escalated: boolean;
  readonly nudges: number;
  readonly compacted: boolean;
  readonly blocks: number;
  readonly continues: number;
}

/** The run in progress, or the last one. */
export interface RunState {
  readonly number: number;
  readonly active: boolean;
  readonly turns: number;
  readonly modelCalls: number;
  readonly tokens: number;
  readonly cost: number;
  readonly ended: { readonly reason: EndReason; readonly error?: EventError } | null;
  /** Index in `settings.models` of the model in use. */
  readonly model: number;
  /** Why it must stop, as soon as open effects are closed. */
  readonly stopping: "interrupted" | "killed" | null;
  /** It ends at the next safe point. */
  readonly stopAtSafePoint: boolean;
  /** Turn at which the goal was last measured, and what was found. */
  readonly goal: { readonly turn: number; readonly value: number } | null;
}

/** The kernel's slice. */
export interface KernelState {
  readonly session: string;
  readonly seq: number;
  readonly settings: SessionSettings | null;
  readonly parent: string | null;
  readonly forkedFrom: string | null;
  /** A fork or an import that has had no life of its own yet. */
  readonly copied: boolean;
  readonly token: number;
  readonly waking: boolean;
  readonly paused: boolean;
  /** A person said to go on, after a pause or an unfinished run, and nothing has been asked since. */
  readonly resumed: boolean;
  readonly terminated: boolean;
  readonly captured: {
    readonly system: string | null;
    readonly tools: string | null;
    readonly offered: readonly string[];
  };
  readonly history: Vector<HistoryItem>;
  /** Grows whenever the history is not merely extended (a compaction). */
  readonly epoch: number;
  readonly open: OpenMessage | null;
  /** Notices that came while calls were open; they enter the history behind the results. */
  readonly late: readonly number[];
  readonly pending: readonly PendingInput[];
  readonly model: ModelState;
  readonly recovery: Recovery;
  readonly spin: { readonly digest: string; readonly count: number; readonly reported: boolean };
  readonly run: RunState;
  /** Tokens the model last reported for its input and output together. */
  readonly contextTokens: number;
  /** Reason given by a notice, hook or part for the next request. */
  readonly next: Transition | null;
  readonly timers: Readonly<
    Record<string, { readonly seq: number; readonly at: number; readonly length: number; readonly fired: boolean }>
  >;
  /** Greatest row of the store that this session was told is lost. */
  readonly lostTo: number;
  /** Ids of effects that failed and must not be wanted again in this turn. */
  readonly failedEffects: readonly string[];
  readonly totals: {
    readonly input: number;
    readonly output: number;
    readonly cost: number;
    readonly turns: number;
    readonly calls: number;
  };
}
