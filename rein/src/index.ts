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

// Models that need no network.
export { createRehearsalModel, type Playbook, REHEARSAL_ID, type RehearsalOptions } from "./lab/index.ts";
export { createScriptedModel, type ScriptedMessage, type ScriptedModel, type ScriptedStep } from "./core/testing/index.ts";

// Stores.
export type * from "./core/session/store.ts";
export { createMemoryStore, currentOwner, type MemoryStoreOptions, openSqliteStore, type SqliteOptions } from "./store/index.ts";

// Sessions: events, state, parts; taking them out and in.
export {
  type CallEffect,
  type CallJudgement,
  type CallOutcome,
  type Command,
  definePart,
  type Durability,
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
  type KernelEvent,
  type KernelEvents,
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
export { kernelRules } from "./core/brain/index.ts";

// Messages.
export * from "./core/message/index.ts";

// Errors.
export {
  ERROR_CODES,
  type ErrorClass,
  type ErrorCode,
  fail,
  ok,
  ReinFailure,
  type ReinError,
  type Result,
  reinError,
  unwrap,
} from "./core/errors.ts";

// Ports, for rooms of one's own.
export type { JsonObject, JsonValue } from "./core/json.ts";
export type * from "./core/ports.ts";
