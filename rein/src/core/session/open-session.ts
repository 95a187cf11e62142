/** Opening a session: its log, or a snapshot and the tail behind it, becomes a state. */
import { fail, ok, type Result } from "../errors.ts";
import type { Composition } from "./compose.ts";
import type { State } from "./part.ts";
import { restoreState, saveState } from "./snapshot.ts";
import type { Store } from "./store.ts";

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
  return [`There is no session ${session} in ${store.name}.`, "Check the id, and that REIN_HOME names the right store."];
}

/** Events of one read; keeps memory flat on long logs. */
const CHUNK = 4096;

/** Folds a session. Unknown session: `session_unknown`. Damage and unknown versions are errors, never a shorter log. */
export async function openSession(store: Store, composition: Composition, session: string): Promise<Result<OpenedSession>> {
  const head = await store.head(session);
  if (!head.ok) return head;
  if (head.value === null) {
    return fail("session_unknown", ...unknownSession(store, session));
  }
  const saved = await store.snapshot(session);
  const restored = saved.ok && saved.value !== null && saved.value.seq <= head.value.seq ? restoreState(saved.value, composition) : null;
  let state = restored ?? composition.initial(session);
  const start = state.kernel.seq;
  let first = true;
  while (state.kernel.seq < head.value.seq) {
    const from = state.kernel.seq + 1;
    const events = await store.read(session, { from, to: head.value.seq, limit: CHUNK });
    if (!events.ok) return events;
    if (events.value.length === 0) {
      const place = { seq: from };
      return fail("store_damaged", `Session ${session} ends before its head: event ${from} is missing.`, "Run `rein verify`, then restore from an export.", { place });
    }
    for (const stored of events.value) {
      const event = composition.decode(session, stored);
      if (!event.ok) return event;
      state = composition.reduce(state, event.value);
    }
    first = false;
  }
  if (restored !== null && first) return ok({ state, how: "snapshot", read: 0 });
  return ok({ state, how: restored === null ? "cold" : "snapshot", read: state.kernel.seq - start });
}

/** Saves a snapshot when the log has grown enough since the last one that saving costs less than it spares. */
export async function saveSnapshotWhenWorth(store: Store, composition: Composition, state: State, newEvents: number): Promise<Result<boolean>> {
  const seq = state.kernel.seq;
  if (newEvents < SNAPSHOT_LEAST || newEvents * 8 < seq) return ok(false);
  const head = await store.head(state.kernel.session);
  if (!head.ok) return head;
  if (head.value === null || head.value.seq !== seq) return ok(false);
  const saved = await store.saveSnapshot(state.kernel.session, { seq, hash: head.value.hash, version: composition.version, body: saveState(state) });
  return saved.ok ? ok(true) : saved;
}

/** New events below which a snapshot is never worth it. */
const SNAPSHOT_LEAST = 500;
