/** What `createAgent` takes, and the defaults it puts in. */
import { resolve } from "node:path";
import { processEnvironment } from "./agent-environment.ts";
import type { Observer } from "./core/brain/index.ts";
import type { Clock, Context, Guard, Hands, Model, Redact } from "./core/ports.ts";
import type { Durability, Goal, Limits, Part, Rule, SessionSettings, Store } from "./core/session/index.ts";
import type { Tool } from "./tools/index.ts";

/** Options of {@link createAgent}. Only `model` is required. */
export interface AgentOptions {
  readonly model: Model;
  /** Model ids in order of preference; default the model's own id. */
  readonly models?: readonly string[];
  /** Where sessions are kept; default a memory store that ends with the process. `{ path }` opens an SQLite file. */
  readonly store?: Store | { readonly path: string };
  /** Workspace; default the current folder. */
  readonly folder?: string;
  /** Own tools, beside the built-in ones. */
  readonly tools?: readonly Tool[];
  /** Built-in tools: `shell`, `read`, `write`, `list`, `search`. Default all; `[]` for none. */
  readonly builtin?: readonly string[];
  /** Rules of calls that run unasked, in the syntax `Bash(npm test)`, `Write(report/**)`, `my_tool`. Default none. */
  readonly allow?: readonly string[];
  /** Rules of calls that never run. Default none. */
  readonly deny?: readonly string[];
  /** `deny` (default): nobody can be asked, so what would be asked is denied. `wait`: the run waits for an answer. */
  readonly ask?: "deny" | "wait";
  /** Limits of a run. Default: 200 turns where nobody can be asked, else none. */
  readonly limits?: Limits;
  /** Default `normal`: survives the death of the process (without a store: `memory`). `strict`: each intent is synced before its effect. */
  readonly durability?: Durability;
  /** One call at a time, with stage labels in the stream. Default false. */
  readonly linear?: boolean;
  /** Calls of one message that run at once. Default 10. */
  readonly parallel?: number;
  readonly goal?: Goal;
  /** Measures by name, for goals. */
  readonly measures?: Readonly<Record<string, () => number | Promise<number>>>;
  readonly appendSystemPrompt?: string;
  /** Output tokens asked for normally and, once, after a message was cut. Default: the model's own maximum. */
  readonly maxOutput?: { readonly normal?: number; readonly raised?: number };
  /** Environment: secrets are found in it, children get a part of it. Default that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Told of every commit of the sessions that this agent drives, once it is durable; what one throws becomes a notice. */
  readonly observe?: readonly Observer[];
  /** More parts, and the whole ordered array of rules when they bring some. */
  readonly parts?: readonly Part[];
  readonly rules?: readonly Rule[];
  /** Rooms in place of the plain ones. */
  readonly clock?: Clock;
  readonly redact?: Redact;
  readonly hands?: Hands;
  readonly guard?: Guard;
  readonly context?: Context;
}

/** Turns of a run with nobody to ask, unless the limits say otherwise. Source: `turns per user input`, docs/architecture.md. */
const UNATTENDED_TURNS = 200;

/** The settings a new session is made with. */
export function settingsOf(options: AgentOptions): SessionSettings {
  const ask = options.ask ?? "deny";
  return {
    models: options.models ?? [options.model.id],
    folder: resolve(processEnvironment.folder(), options.folder ?? "."),
    rules: { allow: options.allow ?? [], deny: options.deny ?? [] },
    limits: options.limits ?? (ask === "deny" ? { maxTurns: UNATTENDED_TURNS } : {}),
    durability: options.durability ?? (options.store === undefined ? "memory" : "normal"),
    ask,
    linear: options.linear ?? false,
    ...(options.parallel !== undefined && { parallel: options.parallel }),
    ...(options.goal !== undefined && { goal: options.goal }),
    ...(options.appendSystemPrompt !== undefined && { appendSystemPrompt: options.appendSystemPrompt }),
  };
}

/** The name of an option that should be a count and is none; null when all are. */
export function wrongNumber({ parallel, maxOutput, goal }: AgentOptions): string | null {
  const counts = {
    parallel,
    "maxOutput.normal": maxOutput?.normal,
    "maxOutput.raised": maxOutput?.raised,
    "goal.deadlineTurns": goal?.deadlineTurns,
  };
  return Object.entries(counts).find(([, count]) => count !== undefined && !isCount(count))?.[0] ?? null;
}

/** Whether a number counts something: whole, and from 1 on. */
export function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1;
}
