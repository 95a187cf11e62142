import { ok, type Result } from "../core/errors.ts";
import type { Clock, Guard, Hands, Redact, Tools } from "../core/ports.ts";
import { builtinTools } from "./builtin/index.ts";
import { executeCall, reconcileCall } from "./execute-call.ts";
import { judgeCall } from "./judge-call.ts";
import type { Pipeline } from "./ready-call.ts";
import { createRegistry } from "./registry.ts";
import type { Tool } from "./tool.ts";
import type { AccessLevel } from "./tool-definition.ts";

/** Limits of the pipeline. */
export interface ToolLimits {
  /** Bytes of text a result may have to be shown whole; default 32 KiB. */
  readonly inline: number;
  /** Most bytes kept of a result; default 1 MiB. Source: `largest result`, docs/architecture.md. */
  readonly hard: number;
  /** Milliseconds a handler is given to end after a time-out or interrupt; default 5,000. */
  readonly grace: number;
}

/** What the tools room is made of. */
export interface ToolsOptions {
  /** The embedder's own tools; default none. */
  readonly tools?: readonly Tool[];
  /** Built-in tools offered, in their fixed order; default all of {@link builtinTools}. */
  readonly builtin?: readonly Tool[];
  /** Tools above this access level are not offered; default `system`, so all are. The gate still judges each call. */
  readonly role?: AccessLevel;
  readonly guard: Guard;
  readonly hands: Hands;
  readonly redact: Redact;
  readonly clock: Clock;
  readonly limits?: Partial<ToolLimits>;
}

const LIMITS: ToolLimits = { inline: 32 * 1024, hard: 1024 * 1024, grace: 5_000 };

/**
 * Makes the tools port: a registry and the pipeline of six stages, find → validate → permission → execute → process →
 * persist. `invalid_option` when two tools have one name.
 */
export function createTools(options: ToolsOptions): Result<Tools> {
  const { guard, hands, redact, clock, role = "system" } = options;
  const registry = createRegistry({ builtin: options.builtin ?? builtinTools, own: options.tools ?? [], role });
  if (!registry.ok) return registry;
  const pipeline: Pipeline = {
    registry: registry.value,
    guard,
    hands,
    redact,
    clock,
    limits: { ...LIMITS, ...options.limits },
  };
  return ok({
    schemas: registry.value.schemas,
    judge: (call) => judgeCall(pipeline, call),
    execute: (call, judgement, approved, context) => executeCall(pipeline, call, judgement, approved, context),
    reconcile: (call, judgement, context) => reconcileCall(pipeline, call, judgement, context),
  });
}
