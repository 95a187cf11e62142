/** A part: what a room adds to a session. The brain is the composition of parts and knows an effect only as `{id, kind, input}`. */
import type { Result } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import type { Clock } from "../ports.ts";
import type { StopSignal } from "../stop-signal.ts";
import type { EventDefinition, NewEvent, SessionEvent } from "./event.ts";
import type { EndReason, EventError } from "./kernel-events.ts";
import type { KernelState } from "./state.ts";
import type { StreamPart } from "./stream.ts";

/** A session's state: a fold over its log. */
export interface State {
  readonly kernel: KernelState;
  /** The slice of each other part, by its name. */
  readonly slices: Readonly<Record<string, unknown>>;
}

/** Something that should be going on. The id is stable: the same wish has the same id, whoever computes it. */
export interface Effect {
  readonly id: string;
  readonly kind: string;
  readonly input: JsonObject;
}

/** What a rule says. `hold` ends the walk: rules behind it are not asked. */
export type RuleAnswer =
  | { readonly want: readonly Effect[]; readonly hold: boolean }
  | { readonly end: EndReason; readonly error?: EventError };

/** A pure rule. Nothing to say: `undefined`. */
export interface Rule {
  readonly name: string;
  readonly decide: (state: State) => RuleAnswer | undefined;
}

/** What an effect in progress may do. */
export interface EffectContext {
  readonly signal: AbortSignal;
  /** The same for who can do without a real signal: making one for each effect costs more than most effects. */
  readonly stop?: StopSignal;
  readonly clock: Clock;
  readonly session: string;
  /** The newest committed state. */
  readonly state: () => State;
  /** Data of an event of this session, from memory or the store. */
  readonly load: (seq: number) => Promise<Result<unknown>>;
  /** Commits events in the middle of the effect and resolves when they are durable (intents: with a sync under `strict`). */
  readonly append: (events: readonly NewEvent[]) => Promise<Result<void>>;
  /** Hands a part to the caller of `run`; waits while its buffer is full. Await it only when it is a promise. */
  readonly emit: (part: StreamPart) => void | Promise<void>;
  /** Keeps text outside the log until the effect ends; a second text replaces the first. */
  readonly scratch: (text: string) => Promise<Result<void>>;
  /** On `recover`: the text that an earlier life kept. */
  readonly saved: string | null;
}

/** How an effect starts. With `outcome` it is over at once; with `go` it runs after `intent` is durable; with neither it waits to be unwanted. */
export interface Started {
  readonly intent?: readonly NewEvent[];
  readonly outcome?: readonly NewEvent[];
  readonly go?: () => Promise<readonly NewEvent[]>;
}

/** Carries out one kind of effect. */
export interface Runner {
  /** Starts it; `recent` gives the data of an event that is still in memory. Must not touch the world before `go`. */
  start(effect: Effect, context: EffectContext, recent: (seq: number) => unknown): Started;
  /** After a crash, for an effect whose intent stands in the log without an outcome: events that close it, or make it wanted anew. */
  recover?(effect: Effect, context: EffectContext): Promise<readonly NewEvent[]>;
}

/** A part. Make one with {@link definePart}. */
export interface Part {
  readonly name: string;
  readonly events: Readonly<Record<string, EventDefinition>>;
  /** Its slice of an empty log, as JSON; `undefined`: it has none. */
  readonly initial: unknown;
  readonly reduce: (slice: unknown, event: SessionEvent, kernel: KernelState) => unknown;
  readonly rules: readonly Rule[];
  /** Runners by effect kind, made anew for each session that is driven, so they may remember. */
  readonly runners: () => Readonly<Record<string, Runner>>;
  /** Effects of this part whose intent stands in the log without an outcome; asked at a wake. */
  readonly begun?: (state: State) => readonly Effect[];
}

/** A part with its slice's type. */
export interface TypedPart<Slice> extends Part {
  /** This part's slice of a state. */
  readonly of: (state: State) => Slice;
}

/** Makes a part from its pieces. `reduce` must be pure, and the slice JSON: a snapshot is its text. */
export function definePart<Slice>(pieces: {
  readonly name: string;
  readonly events: Readonly<Record<string, EventDefinition>>;
  readonly initial: Slice;
  readonly reduce: (slice: Slice, event: SessionEvent, kernel: KernelState) => Slice;
  readonly rules: readonly Rule[];
  readonly runners: () => Readonly<Record<string, Runner>>;
  readonly begun?: (state: State) => readonly Effect[];
}): TypedPart<Slice> {
  // Only this part writes the slice of its name, so whatever stands there is a Slice.
  const own = (slice: unknown): Slice => slice as Slice;
  return {
    ...pieces,
    reduce: (slice, event, kernel) => pieces.reduce(own(slice), event, kernel),
    of: (state) => (Object.hasOwn(state.slices, pieces.name) ? own(state.slices[pieces.name]) : pieces.initial),
  };
}
