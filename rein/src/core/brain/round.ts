/** One round: new events are folded, the rules are asked, and what is wanted is started, until nothing changes. No I/O. */
import { type ReinError, reinError } from "../errors.ts";
import type { JsonValue } from "../json.ts";
import type { Clock, Redact } from "../ports.ts";
import type { Composition } from "../session/compose.ts";
import type { NewEvent, SessionEvent } from "../session/event.ts";
import type { EndReason, EventError } from "../session/kernel-events.ts";
import type { Effect, Started, State } from "../session/part.ts";
import { decide } from "./decide.ts";

/** What a round needs of the driver. */
export interface RoundContext {
  readonly composition: Composition;
  readonly redact: Redact;
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

/** What a round starts from: events, and what becomes one event, or none, in the state it meets. */
export type RoundNews = NewEvent | ((state: State) => NewEvent | null);

/** Plays a round, all of it at the wall clock `at`. With `decideToo` false the events are folded and nothing is started. */
export function playRound(
  context: RoundContext,
  at: number,
  from: State,
  news: readonly RoundNews[],
  decideToo: boolean,
): Round {
  const events: NewEvent[] = [];
  const starts: { effect: Effect; started: Started }[] = [];
  const starting = new Set<string>();
  let state = from;
  const foldOne = (added: NewEvent): void => {
    const clean = redacted(added, context.redact);
    events.push(clean);
    const before = state;
    const event = eventAt(context, at, before, clean);
    state = context.composition.reduce(before, event);
    context.folded(event, before, state);
  };
  const fold = (added: readonly NewEvent[]): void => {
    for (const event of added) foldOne(event);
  };
  const end = (reason: EndReason, error?: EventError): Round => {
    const run = state.kernel.run.number;
    foldOne({ type: "run.ended", data: error === undefined ? { run, reason } : { run, reason, error } });
    return { state, events, starts: [], wanted: new Set(), ended: true };
  };
  for (const entry of news) {
    const event = typeof entry === "function" ? entry(state) : entry;
    if (event !== null) foldOne(event);
  }
  if (!decideToo) return { state, events, starts, wanted: null, ended: false };
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const decision = decide(context.composition.rules, state);
    if (decision.end !== null) return end(decision.end.reason, decision.end.error);
    let atRest = true;
    for (const effect of decision.want) {
      if (context.isInFlight(effect.id) || starting.has(effect.id)) continue;
      atRest = false;
      if (state.kernel.failedEffects.includes(effect.id)) return end("failed", wantedAgain(effect));
      const started = context.start(effect, state);
      if (started === null) {
        fold([failedEvent(effect, unrunnable(effect))]);
        continue;
      }
      if (started.intent !== undefined) fold(started.intent);
      if (started.outcome !== undefined) fold(started.outcome);
      if (started.outcome !== undefined) continue;
      starting.add(effect.id);
      starts.push({ effect, started });
    }
    if (atRest) return { state, events, starts, wanted: idsOf(decision.want), ended: false };
  }
  return end("failed", faultOfRule("The rules never come to rest."));
}

function idsOf(effects: readonly Effect[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { id } of effects) ids.add(id);
  return ids;
}

/** Whoever wants what failed goes round in circles: the rule that wants it must know `failedEffects`. */
function wantedAgain(effect: Effect): EventError {
  return faultOfRule(`The effect ${effect.id} failed (see effect.failed) and is wanted again.`);
}

function faultOfRule(message: string): EventError {
  return eventError(
    reinError("internal", message, "This is a fault of a rule; please report it with the session's export."),
  );
}

/** The state behind some news, with nothing decided, told or committed. */
export function foldOnly(
  { composition, redact, clock }: Pick<RoundContext, "composition" | "redact"> & { readonly clock: Clock },
  from: State,
  news: readonly RoundNews[],
): State {
  const nothing = { isInFlight: () => true, start: () => null, folded: () => undefined };
  return playRound({ composition, redact, ...nothing }, clock.now(), from, news, false).state;
}

/** An error as an event holds it. */
function eventError(error: ReinError): EventError {
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

function eventAt({ composition }: RoundContext, at: number, state: State, { type, data }: NewEvent): SessionEvent {
  const { session, seq } = state.kernel;
  return { session, seq: seq + 1, at, type, version: composition.versionOf(type), data };
}

function redacted(event: NewEvent, redact: Redact): NewEvent {
  if (!redact.active) return event;
  // Event data is JSON by contract; the port gives the same shape back.
  const data = redact.value(event.data as JsonValue);
  return data === event.data ? event : { ...event, data };
}
