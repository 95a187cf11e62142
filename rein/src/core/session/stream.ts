/** Parts: what `run` yields to its caller (R2.3). A part is not an event: deltas pass by, the log keeps whole messages. */
import type {
  CallEffect,
  CallOutcome,
  EndReason,
  EventError,
  ResultContent,
  StopReason,
  Transition,
  Usage,
} from "./kernel-events.ts";

/** One part of the stream. */
export type StreamPart =
  | {
      readonly type: "agent_start";
      readonly session: string;
      readonly run: number;
      readonly model: string;
      readonly at: number;
    }
  /** `how`: `snapshot` or `cold`, what opening the session took from where. `crashed`: who drove it before never gave it back. */
  | {
      readonly type: "session_opened";
      readonly session: string;
      readonly events: number;
      readonly how: "new" | "snapshot" | "cold" | "warm";
      readonly crashed: boolean;
    }
  | { readonly type: "stage"; readonly stage: Stage; readonly turn: number }
  | {
      readonly type: "turn_start";
      readonly turn: number;
      readonly attempt: number;
      readonly transition: Transition;
      readonly contextTokens: number;
      readonly at: number;
    }
  | {
      readonly type: "content_block_start";
      readonly turn: number;
      readonly block: number;
      readonly blockType: "text" | "thinking" | "tool_use";
    }
  | { readonly type: "text_delta"; readonly turn: number; readonly block: number; readonly text: string }
  | { readonly type: "thinking_delta"; readonly turn: number; readonly block: number; readonly text: string }
  | {
      readonly type: "tool_use_start";
      readonly turn: number;
      readonly block: number;
      readonly id: string;
      readonly name: string;
    }
  | { readonly type: "tool_input_delta"; readonly turn: number; readonly block: number; readonly json: string }
  | { readonly type: "tool_use_end"; readonly turn: number; readonly block: number }
  | { readonly type: "content_block_end"; readonly turn: number; readonly block: number }
  /** The attempt whose deltas came before is not kept: forget them. */
  | { readonly type: "message_discarded"; readonly turn: number; readonly attempt: number; readonly reason: string }
  | {
      readonly type: "message_end";
      readonly turn: number;
      readonly seq: number;
      readonly stop: StopReason;
      readonly usage: Usage;
      readonly textLength: number;
      readonly hasToolCalls: boolean;
    }
  | {
      readonly type: "tool_judged";
      readonly call: string;
      readonly name: string;
      readonly decision: "allow" | "ask" | "deny";
      readonly policy: string;
      readonly reason: string;
      readonly effects: readonly CallEffect[];
    }
  | { readonly type: "approval_requested"; readonly call: string; readonly digest: string; readonly shows: string }
  | { readonly type: "approval_answered"; readonly call: string; readonly answer: "approve" | "deny" }
  | { readonly type: "tool_start"; readonly call: string; readonly name: string; readonly attempt: number }
  | {
      readonly type: "tool_progress";
      readonly call: string;
      readonly kind: "output" | "step";
      readonly text: string;
      readonly step?: number;
      readonly total?: number;
    }
  | {
      readonly type: "tool_result";
      readonly call: string;
      readonly name: string;
      readonly outcome: CallOutcome;
      readonly content: ResultContent;
      readonly isError: boolean;
      readonly duration: number;
    }
  /** A command that came too late, twice or for nothing: it is in the log, and did nothing. */
  | {
      readonly type: "command_refused";
      readonly commandId: string;
      readonly kind: string;
      readonly reason: string;
      readonly call?: string;
    }
  | { readonly type: "notice"; readonly kind: string; readonly text: string }
  | { readonly type: "turn_end"; readonly turn: number; readonly hasToolCalls: boolean }
  | { readonly type: "waiting"; readonly calls: readonly string[] }
  | { readonly type: "error"; readonly error: EventError }
  | {
      readonly type: "agent_end";
      readonly session: string;
      readonly reason: EndReason | "waiting" | "paused" | "idle" | "lost";
      readonly text: string;
      readonly messages: number;
      readonly usage: { readonly input: number; readonly output: number; readonly cost: number };
      readonly at: number;
    };

/** Stages of the linear mode (R1.5), in order. */
export type Stage = "intake" | "context" | "inference" | "streaming" | "tools" | "persistence";
