import { resolve } from "node:path";
import { fail, ok, type Result, textOfThrown } from "../core/errors.ts";
import type { CallEffect, CallJudgement } from "../core/session/index.ts";
import type { InputOf, SchemaSource } from "./schema/input-of.ts";
import type { CallScope, ToolDefinition } from "./tool-definition.ts";

/** Milliseconds a call may take when its tool names none. Source: tool time-out, docs/architecture.md. */
const DEFAULT_TIMEOUT = 120_000;

/** What is known of a call before it runs. */
export interface CallFacts {
  readonly effects: readonly CallEffect[];
  readonly readOnly: boolean;
  readonly recover: CallJudgement["recover"];
  readonly accesses: CallJudgement["accesses"];
  readonly timeout: number;
  /** Why a person must be asked, by the tool itself. */
  readonly ownAsk?: string;
}

/** Asks a tool's predicates about a call. Fails closed: where one throws, the call is not read-only and asks, or touches everything. */
export function callFacts<Schema extends SchemaSource, Output>(
  definition: ToolDefinition<Schema, Output>,
  input: InputOf<Schema>,
  scope: CallScope,
): Result<CallFacts> {
  const { name } = definition;
  const declared = attempt(() => definition.effects(input, scope).map((effect) => resolved(effect, scope.folder)));
  if (!declared.ok) {
    const hint = "This is a fault of the tool. Try other arguments, or another tool.";
    return fail("tool_failed", `\`${name}\` could not say what the call would do: ${declared.thrown}`, hint);
  }
  const effects = declared.value;
  const saysReadOnly = attempt(() => definition.readOnly?.(input) === true);
  const readOnly = saysReadOnly.ok && saysReadOnly.value && effects.every(isRead);
  const destroys = attempt(() => definition.destructive?.(input) === true);
  const asks = attempt(() => definition.ask?.(input));
  const accesses = attempt(() => definition.accesses?.(input, scope) ?? accessesOf(effects, readOnly));
  const timeout = attempt(() => timeoutOf(definition, input));
  const ownAsk = firstAsk(name, { saysReadOnly, destroys, asks, accesses, timeout });
  return ok({
    effects,
    readOnly,
    recover: definition.recover ?? (readOnly ? "rerun" : "never"),
    accesses: accesses.ok ? accesses.value : [{ resource: "*", write: true }],
    timeout: timeout.ok ? timeout.value : DEFAULT_TIMEOUT,
    ...(ownAsk === undefined ? {} : { ownAsk }),
  });
}

type Attempt<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly thrown: string };

function attempt<T>(ask: () => T): Attempt<T> {
  try {
    return { ok: true, value: ask() };
  } catch (thrown) {
    return { ok: false, thrown: textOfThrown(thrown) };
  }
}

interface Answers {
  readonly saysReadOnly: Attempt<boolean>;
  readonly destroys: Attempt<boolean>;
  readonly asks: Attempt<string | undefined>;
  readonly accesses: Attempt<unknown>;
  readonly timeout: Attempt<unknown>;
}

function firstAsk(tool: string, answers: Answers): string | undefined {
  for (const answer of Object.values<Attempt<unknown>>({ ...answers })) {
    if (!answer.ok) return `a check of \`${tool}\` failed: ${answer.thrown}`;
  }
  if (answers.asks.ok && answers.asks.value !== undefined) return answers.asks.value;
  if (answers.destroys.ok && answers.destroys.value) return `\`${tool}\` says that this call destroys something.`;
  return undefined;
}

function timeoutOf<Schema extends SchemaSource, Output>(
  { timeout }: ToolDefinition<Schema, Output>,
  input: InputOf<Schema>,
): number {
  if (timeout === undefined) return DEFAULT_TIMEOUT;
  const ms = typeof timeout === "number" ? timeout : timeout(input);
  if (!(ms > 0)) throw new RangeError(`its time-out is ${ms}`);
  return ms;
}

function resolved(effect: CallEffect, folder: string): CallEffect {
  switch (effect.kind) {
    case "read":
    case "read-tree":
    case "write":
      return { kind: effect.kind, path: resolve(folder, effect.path) };
    case "execute":
      return { kind: effect.kind, command: effect.command, cwd: resolve(folder, effect.cwd) };
    case "execute-argv":
      return { kind: effect.kind, argv: effect.argv, cwd: resolve(folder, effect.cwd) };
    case "connect":
    case "state":
      return effect;
  }
}

function isRead(effect: CallEffect): boolean {
  return effect.kind === "read" || effect.kind === "read-tree";
}

/** A path covers what lies below it. A tool that declares no effect may still touch what only this process knows of. */
function accessesOf(effects: readonly CallEffect[], readOnly: boolean): CallJudgement["accesses"] {
  return effects.length === 0 ? [{ resource: "*", write: !readOnly }] : effects.map(accessOf);
}

function accessOf(effect: CallEffect): CallJudgement["accesses"][number] {
  switch (effect.kind) {
    case "read":
    case "read-tree":
      return { resource: `path:${effect.path}`, write: false };
    case "write":
      return { resource: `path:${effect.path}`, write: true };
    case "state":
      return { resource: `state:${effect.what}`, write: true };
    case "execute":
    case "execute-argv":
    case "connect":
      return { resource: "*", write: true };
  }
}
