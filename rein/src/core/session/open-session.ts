/** Opening a session: its log, or a snapshot and the tail behind it, becomes a state. */
import { fail, ok, type Result, textOfThrown } from "../errors.ts";
import type { Composition } from "./compose.ts";
import type { State } from "./part.ts";
import { restoreState, saveState } from "./snapshot.ts";
import type { Store, StoredEvent } from "./store.ts";

/** A folded session. */
export interface OpenedSession {
  readonly state: State;
  /** `snapshot`: a saved fold and a verified tail; `cold`: the whole log. */
  readonly how: "snapshot" | "cold";
  /** Events read for it. */
  readonly read: number;
}

/** Message and hint for a session that is not there. */
export function unknownSession(store: Store, session: string): [message: string, hint: string] {
  return [
    `There is no session ${session} in ${store.name}.`,
    "Check the id, and that REIN_HOME names the right store.",
  ];
}

/** Events of one read; keeps memory flat on long logs. */
const CHUNK = 1024;

/**
 * Folds a session. Unknown session: `session_unknown`. Damage (`store_damaged`), a newer version (`version_unknown`) and an event
 * that cannot be read (`event_invalid`) are errors, never a shorter log.
 */
export async function openSession(
  store: Store,
  composition: Composition,
  session: string,
): Promise<Result<OpenedSession>> {
  const head = await store.head(session);
  if (!head.ok) return head;
  if (head.value === null || head.value.seq === 0) return fail("session_unknown", ...unknownSession(store, session));
  const saved = await store.snapshot(session);
  // A snapshot that cannot be read costs time and nothing else: the log is folded.
  const restored =
    saved.ok && saved.value !== null ? restoreState(saved.value, session, head.value, composition) : null;
  let state = restored ?? composition.initial(session);
  const start = state.kernel.seq;
  while (state.kernel.seq < head.value.seq) {
    const from = state.kernel.seq + 1;
    const events = await store.read(session, { from, to: head.value.seq, limit: CHUNK });
    if (!events.ok) return events;
    if (events.value.length === 0) return missing(session, from);
    const folded = foldEvents(composition, state, events.value);
    if (!folded.ok) return folded;
    state = folded.value;
  }
  return ok({ state, how: restored === null ? "cold" : "snapshot", read: state.kernel.seq - start });
}

/** Folds stored events, which must follow the state without a gap. */
function foldEvents(composition: Composition, from: State, events: readonly StoredEvent[]): Result<State> {
  let state = from;
  for (const stored of events) {
    const { session, seq } = state.kernel;
    if (stored.seq !== seq + 1) return missing(session, seq + 1);
    const event = composition.decode(session, stored);
    if (!event.ok) return event;
    try {
      state = composition.reduce(state, event.value);
    } catch (thrown) {
      const message = `Event ${stored.seq} (${stored.type}) of session ${session} cannot be folded: ${textOfThrown(thrown)}`;
      const hint = "Its data has not the shape of that type. The log is untouched.";
      return fail("event_invalid", message, hint, { cause: thrown, place: { seq: stored.seq } });
    }
  }
  return ok(state);
}

function missing(session: string, seq: number): Result<never> {
  return fail(
    "store_damaged",
    `Session ${session} ends before its head: event ${seq} is missing.`,
    "Run `rein verify`, then restore from an export.",
    { place: { seq } },
  );
}

/** New events below which a snapshot is never worth it. */
const SNAPSHOT_LEAST = 500;

/** Saves a snapshot when the log has grown enough since the last one that saving costs less than it spares. */
export async function saveSnapshotWhenWorth(
  store: Store,
  composition: Composition,
  state: State,
  newEvents: number,
): Promise<Result<boolean>> {
  const { session, seq, settings } = state.kernel;
  if (newEvents < SNAPSHOT_LEAST || newEvents * 8 < seq) return ok(false);
  // What ends with the process is not opened by another.
  if (settings?.durability === "memory") return ok(false);
  const head = await store.head(session);
  if (!head.ok) return head;
  if (head.value === null || head.value.seq !== seq) return ok(false);
  const { hash } = head.value;
  const saved = await store.saveSnapshot(session, { seq, hash, version: composition.version, body: saveState(state) });
  return saved.ok ? ok(true) : saved;
}
