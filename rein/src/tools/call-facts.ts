import { resolve } from "node:path";
import { fail, ok, type Result, textOfThrown } from "../core/errors.ts";
import { packedMap } from "../core/packed-map.ts";
import type { CallEffect, CallJudgement } from "../core/session/index.ts";
import type { InputOf, SchemaSource } from "./schema/input-of.ts";
import type { CallScope, ToolDefinition } from "./tool-definition.ts";

/** Milliseconds a call may take when its tool names none. Source: `tool time-out`, docs/architecture.md. */
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

const EVERYTHING: CallJudgement["accesses"] = [{ resource: "*", write: true }];

/** Asks a tool's predicates about a call. Fails closed: where one throws, the call is not read-only and asks, or touches everything. */
export function callFacts<Schema extends SchemaSource, Output>(
  definition: ToolDefinition<Schema, Output>,
  input: InputOf<Schema>,
  scope: CallScope,
): Result<CallFacts> {
  const { name } = definition;
  let effects: readonly CallEffect[];
  try {
    effects = packedMap(definition.effects(input, scope), (effect) => resolved(effect, scope.folder));
  } catch (thrown) {
    const hint = "This is a fault of the tool. Try other arguments, or another tool.";
    return fail("tool_failed", `\`${name}\` could not say what the call would do: ${textOfThrown(thrown)}`, hint);
  }
  const failed: string[] = [];
  const answer = <T>(question: () => T, careful: T): T => {
    try {
      return question();
    } catch (thrown) {
      failed.push(`a check of \`${name}\` failed: ${textOfThrown(thrown)}`);
      return careful;
    }
  };
  const saysReadOnly = definition.readOnly !== undefined && answer(() => definition.readOnly?.(input) === true, false);
  const readOnly = saysReadOnly && effects.every(isRead);
  const destroys = definition.destructive !== undefined && answer(() => definition.destructive?.(input) === true, true);
  const asks = definition.ask === undefined ? undefined : answer(() => definition.ask?.(input), undefined);
  const own =
    definition.accesses === undefined ? undefined : answer(() => ownAccesses(definition, input, scope), EVERYTHING);
  const accesses = own ?? accessesOf(effects, readOnly);
  const timeout =
    definition.timeout === undefined ? DEFAULT_TIMEOUT : answer(() => timeoutOf(definition, input), DEFAULT_TIMEOUT);
  const ownAsk = failed[0] ?? asks ?? (destroys ? `\`${name}\` says that this call destroys something.` : undefined);
  const recover = definition.recover ?? (readOnly ? "rerun" : "never");
  const facts: CallFacts = { effects, readOnly, recover, accesses, timeout };
  return ok(ownAsk === undefined ? facts : { ...facts, ownAsk });
}

/** What the tool says, its paths made absolute: `path:./a` and `path:a` are one. */
function ownAccesses<Schema extends SchemaSource, Output>(
  { accesses }: ToolDefinition<Schema, Output>,
  input: InputOf<Schema>,
  scope: CallScope,
): CallJudgement["accesses"] | undefined {
  return accesses?.(input, scope).map(({ resource, write }) => ({
    resource: resource.startsWith("path:") ? `path:${resolve(scope.folder, resource.slice(5))}` : resource,
    write,
  }));
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
