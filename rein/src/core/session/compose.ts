/** Composition of parts into one fold: how a log becomes a state. */
import { fail, ok, type Result, textOfThrown } from "../errors.ts";
import { own, parseJson } from "../json.ts";
import type { EventDefinition, NewEvent, SessionEvent } from "./event.ts";
import { initialKernelState } from "./initial-state.ts";
import { KERNEL_EVENTS } from "./kernel-events.ts";
import type { Part, Rule, Runner, State } from "./part.ts";
import { reduceKernel } from "./reduce-kernel.ts";
import type { EventToStore, StoredEvent } from "./store.ts";

/** Parts joined: the fold, the rules in their order and the runners by kind. */
export interface Composition {
  readonly parts: readonly Part[];
  readonly rules: readonly Rule[];
  /** Fresh runners for one driven session. */
  runners(): ReadonlyMap<string, Runner>;
  /** Names of all slices, names and versions of all event types: a snapshot made by another composition is ignored. */
  readonly version: string;
  initial(session: string): State;
  reduce(state: State, event: SessionEvent): State;
  /** Reads a stored event: parses, upcasts. A newer version than this build knows: `version_unknown`. */
  decode(session: string, stored: StoredEvent): Result<SessionEvent>;
  /** Version of a new event of this type. */
  versionOf(type: string): number;
  /** Prepares a new event for the store. */
  encode(event: NewEvent, at: number): EventToStore;
}

/** Version of the fold's own shape; raise it when the state's shape changes. */
const FOLD_VERSION = 1;

/**
 * Joins parts. `rules` is the one ordered array that `decide` walks; the caller decides the order.
 * Two parts with one event type or effect kind, or a type of a later version without `upcast`: `invalid_option`.
 */
export function compose(parts: readonly Part[], rules: readonly Rule[]): Result<Composition> {
  const definitions: Record<string, EventDefinition> = { ...KERNEL_EVENTS };
  const kinds = new Set<string>();
  for (const part of parts) {
    for (const [type, definition] of Object.entries(part.events)) {
      if (Object.hasOwn(definitions, type)) return twice("event type", type);
      if (definition.version > 1 && definition.upcast === undefined) {
        const message = `The event type "${type}" has version ${definition.version} and no upcast.`;
        return fail("invalid_option", message, "Say how older versions are read: give `upcast`.");
      }
      definitions[type] = definition;
    }
    for (const kind of Object.keys(part.runners())) {
      if (kinds.has(kind)) return twice("effect kind", kind);
      kinds.add(kind);
    }
  }
  const folding = parts.filter((part) => part.initial !== undefined);
  const slices = Object.fromEntries(folding.map((part) => [part.name, part.initial]));
  const types = Object.entries(definitions).map(([type, definition]) => `${type}@${definition.version}`);
  const names = folding.map((part) => part.name);
  const versionOf = (type: string): number => own(definitions, type)?.version ?? 1;
  return ok({
    parts,
    rules,
    runners: () => new Map(parts.flatMap((part) => Object.entries(part.runners()))),
    version: [FOLD_VERSION, names.sort().join(","), types.sort().join(",")].join(":"),
    initial: (session) => ({ kernel: initialKernelState(session), slices }),
    reduce: (state, event) => reduceAll(folding, state, event),
    decode: (session, stored) => decodeEvent(definitions, session, stored),
    versionOf,
    encode: ({ type, data }, at) => ({ type, version: versionOf(type), at, data: JSON.stringify(data) }),
  });
}

function twice(what: string, name: string): Result<never> {
  return fail("invalid_option", `Two parts claim the ${what} "${name}".`, "Rename one of them.");
}

function reduceAll(folding: readonly Part[], state: State, event: SessionEvent): State {
  const kernel = reduceKernel(state.kernel, event);
  let slices = state.slices;
  for (const part of folding) {
    const before = slices[part.name];
    const after = part.reduce(before, event, kernel);
    if (after !== before) slices = { ...slices, [part.name]: after };
  }
  return { kernel, slices };
}

function decodeEvent(
  definitions: Readonly<Record<string, EventDefinition>>,
  session: string,
  stored: StoredEvent,
): Result<SessionEvent> {
  const { seq, at, type, version } = stored;
  if (stored.data === null) return ok({ session, seq, at, type, version, data: undefined });
  const parsed = parseJson(stored.data, `Event ${seq} of session ${session}`);
  if (!parsed.ok) return parsed;
  const definition = own(definitions, type);
  if (definition === undefined) return ok({ session, seq, at, type, version, data: parsed.value });
  if (version > definition.version) {
    return fail(
      "version_unknown",
      `Event ${seq} (${type}) has version ${version}; this build knows ${definition.version}.`,
      "Update Rein: the session was written by a newer version.",
      { place: { seq } },
    );
  }
  if (version === definition.version || definition.upcast === undefined) {
    return ok({ session, seq, at, type, version: definition.version, data: parsed.value });
  }
  try {
    return ok({ session, seq, at, type, version: definition.version, data: definition.upcast(parsed.value, version) });
  } catch (thrown) {
    const message = `Event ${seq} (${type}) of version ${version} cannot be read: ${textOfThrown(thrown)}`;
    const hint = "Its data is not what that version wrote. The log is untouched.";
    return fail("event_invalid", message, hint, { cause: thrown, place: { seq } });
  }
}
