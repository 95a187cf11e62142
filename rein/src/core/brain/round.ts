/** One round: new events are folded, the rules are asked, and what is wanted is started, until nothing changes. No I/O. */
import { type ReinError, reinError } from "../errors.ts";
import type { JsonValue } from "../json.ts";
import type { Redact } from "../ports.ts";
import type { Composition } from "../session/compose.ts";
import type { NewEvent, SessionEvent } from "../session/event.ts";
import type { EventError } from "../session/kernel-events.ts";
import type { Effect, Started, State } from "../session/part.ts";
import { decide } from "./decide.ts";

/** What a round needs of the driver. */
export interface RoundContext {
  readonly composition: Composition;
  readonly redact: Redact;
  /** Wall clock of the whole round. */
  readonly at: number;
  readonly isInFlight: (id: string) => boolean;
  /** Starts an effect in this state; null when nobody can carry out its kind. */
  readonly start: (effect: Effect, state: State) => Started | null;
  /** Told of each event as it is folded. */
  readonly folded: (event: SessionEvent, before: State, after: State) => void;
}

/** What came of a round; nothing of it has happened until it is committed. */
export interface Round {
  readonly state: State;
  readonly events: readonly NewEvent[];
  /** Effects to set going once the commit is durable, and their `go`. */
  readonly starts: readonly { readonly effect: Effect; readonly started: Started }[];
  /** Ids that should be in flight afterwards; null when the rules were not asked. */
  readonly wanted: ReadonlySet<string> | null;
  readonly ended: boolean;
}

/** Passes after which a round that never comes to rest is a fault of a rule. */
const MAX_PASSES = 1_000;

/** What a round starts from: events, and commands that become one event each in the state they meet. */
export type RoundNews = NewEvent | ((state: State) => NewEvent);

/** Plays a round. With `decideToo` false the events are folded and nothing is started. */
export function playRound(context: RoundContext, from: State, news: readonly RoundNews[], decideToo: boolean): Round {
  const events: NewEvent[] = [];
  const starts: { effect: Effect; started: Started }[] = [];
  const starting = new Set<string>();
  let state = from;
  const fold = (added: readonly NewEvent[]): void => {
    for (const event of added) {
      const clean = redacted(event, context.redact);
      events.push(clean);
      const before = state;
      state = context.composition.reduce(before, eventAt(before, clean, context.at));
      context.folded(eventAt(before, clean, context.at), before, state);
    }
  };
  for (const entry of news) fold([typeof entry === "function" ? entry(state) : entry]);
  if (!decideToo) return { state, events, starts, wanted: null, ended: false };
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const decision = decide(context.composition.rules, state);
    if (decision.end !== null) {
      const { reason, error } = decision.end;
      const run = state.kernel.run.number;
      fold([{ type: "run.ended", data: error === undefined ? { run, reason } : { run, reason, error } }]);
      return { state, events, starts: [], wanted: new Set(), ended: true };
    }
    const fresh = decision.want.filter((effect) => !context.isInFlight(effect.id) && !starting.has(effect.id));
    if (fresh.length === 0)
      return { state, events, starts, wanted: new Set(decision.want.map((effect) => effect.id)), ended: false };
    for (const effect of fresh) {
      const started = context.start(effect, state);
      if (started === null) {
        fold([failedEvent(effect, unrunnable(effect))]);
        continue;
      }
      fold(started.intent ?? []);
      fold(started.outcome ?? []);
      if (started.outcome !== undefined) continue;
      starting.add(effect.id);
      starts.push({ effect, started });
    }
  }
  const error = eventError(
    reinError(
      "internal",
      "The rules never come to rest.",
      "This is a fault of a rule; please report it with the session's export.",
    ),
  );
  fold([{ type: "run.ended", data: { run: state.kernel.run.number, reason: "failed", error } }]);
  return { state, events, starts: [], wanted: new Set(), ended: true };
}

/** An error as an event holds it. */
export function eventError(error: ReinError): EventError {
  const { class: kind, code, message, hint } = error;
  return { class: kind, code, message, hint };
}

/** The event that says that an effect could not be carried out. */
export function failedEvent(effect: Effect, error: ReinError): NewEvent {
  return { type: "effect.failed", data: { id: effect.id, kind: effect.kind, error: eventError(error) } };
}

function unrunnable(effect: Effect): ReinError {
  return reinError(
    "effect_unrunnable",
    `Nothing here can carry out an effect of kind "${effect.kind}".`,
    "Give createAgent the part that does.",
  );
}

function eventAt(state: State, event: NewEvent, at: number): SessionEvent {
  const { session, seq } = state.kernel;
  return { session, seq: seq + 1, at, type: event.type, version: 0, data: event.data };
}

function redacted(event: NewEvent, redact: Redact): NewEvent {
  if (!redact.active) return event;
  // Event data is JSON by contract; the port gives the same shape back.
  const data = redact.value(event.data as JsonValue);
  return data === event.data ? event : { ...event, data };
}
