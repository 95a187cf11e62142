/**
 * Rein: an agent harness. A model proposes, Rein decides what may run, runs it, keeps the log, and goes on from there after a crash.
 *
 * @example
 * import { createAgent, createScriptedModel } from "rein";
 * const agent = createAgent({ model: createScriptedModel([{ text: "Hello." }]) });
 * const { text } = await agent.complete("Say hello.");
 */

// The agent.
export { type Agent, createAgent, type Run, type RunOptions, type RunResult } from "./agent.ts";
export { systemClock } from "./agent-clock.ts";
export type { AgentOptions } from "./agent-options.ts";
export { kernelRules, type Observer, type StateChange } from "./core/brain/index.ts";
// Errors.
export {
  ERROR_CODES,
  type ErrorClass,
  type ErrorCode,
  fail,
  ok,
  type ReinError,
  ReinFailure,
  type Result,
  reinError,
  unwrap,
} from "./core/errors.ts";
// Ports, for rooms of one's own.
export type { JsonObject, JsonValue } from "./core/json.ts";
// Messages.
export * from "./core/message/index.ts";
export type * from "./core/ports.ts";
// A model for tests; the rehearsal model is in `rein/lab`.
export {
  createScriptedModel,
  type ScriptedMessage,
  type ScriptedModel,
  type ScriptedStep,
} from "./core/scripted-model.ts";
// The store's port; the stores themselves are in `rein/store`, a test suite for one's own in `rein/store-conformance`.
export type {
  Append,
  Commit,
  Committed,
  EventToStore,
  Finding,
  Head,
  InboxEntry,
  Job,
  Lease,
  Owner,
  Reservation,
  SessionInfo,
  Settlement,
  Snapshot,
  Store,
  StoreChange,
  StoredEvent,
  Verification,
} from "./core/session/index.ts";
// Sessions: events, state, parts; taking them out and in.
export {
  type CallEffect,
  type CallJudgement,
  type CallOutcome,
  type Command,
  type Durability,
  definePart,
  type EndReason,
  type EventError,
  type ExportSource,
  type ExportVerification,
  exportSession,
  type Goal,
  type Imported,
  type ImportOptions,
  importSession,
  isKernelEvent,
  isUnfinished,
  type KernelEvent,
  type KernelEvents,
  type KernelEventType,
  type Limits,
  type NewEvent,
  type Part,
  type Rule,
  type SessionEvent,
  type SessionSettings,
  type SettingsChange,
  type State,
  type Status,
  type StreamPart,
  statusOf,
  type Usage,
  verifyExport,
} from "./core/session/index.ts";
// Tools.
export {
  type AccessLevel,
  type CallScope,
  type CommandOptions,
  type InputOf,
  type StandardSchema,
  type Tool,
  type ToolContext,
  type ToolDefinition,
  type ToolFailure,
  type ToolHands,
  tool,
  toolFailure,
} from "./tools/index.ts";
