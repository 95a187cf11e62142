/** Taking a session up: the lease, the folded log, and the first events of this life. */
import { fail, ok, type Result } from "../errors.ts";
import type { Clock } from "../ports.ts";
import type { Composition } from "./compose.ts";
import type { NewEvent } from "./event.ts";
import { openSession, unknownSession } from "./open-session.ts";
import type { SessionSettings } from "./kernel-events.ts";
import type { State } from "./part.ts";
import type { Lease, Owner, Store } from "./store.ts";

/** A session this process may now drive. */
export interface TakenUp {
  readonly lease: Lease;
  readonly state: State;
  readonly how: "new" | "snapshot" | "cold";
  readonly read: number;
  /** To be committed before anything else. */
  readonly first: readonly NewEvent[];
}

/** What taking up needs. */
export interface TakeUpOptions {
  readonly store: Store;
  readonly composition: Composition;
  readonly clock: Clock;
  readonly owner: Owner;
  readonly session: string;
  readonly ttl: number;
  /** For a session that does not exist yet. */
  readonly create?: { readonly settings: SessionSettings; readonly gates: readonly string[]; readonly parent?: string };
  /** Take the lease by force (kill). */
  readonly steal?: boolean;
}

/** Takes a session up. `lease_held` names who has it; `session_unknown` when it does not exist and `create` is absent. */
export async function takeUp(options: TakeUpOptions): Promise<Result<TakenUp>> {
  const { store, composition, owner, session, create } = options;
  const before = await store.session(session);
  if (!before.ok) return before;
  if (create === undefined && before.value === null) return fail("session_unknown", ...unknownSession(store, session));
  if (create !== undefined && before.value !== null && before.value.head.seq > 0) {
    return fail("session_exists", `There is a session ${session} already.`, "Choose another id, or resume that one.");
  }
  const lease = await store.acquire(session, owner, options.ttl, { steal: options.steal === true });
  if (!lease.ok) return lease;
  const woke = (how: "created" | "released" | "recovered" | "stolen"): NewEvent => ({
    type: "brain.woke",
    data: { token: lease.value.token, owner, how },
  });
  if (create !== undefined) {
    const first: NewEvent[] = [{ type: "session.created", data: create }, woke("created")];
    return ok({ lease: lease.value, state: composition.initial(session), how: "new", read: 0, first });
  }
  const opened = await openSession(store, composition, session);
  if (!opened.ok) return opened;
  const held = before.value?.lease !== undefined;
  const first: NewEvent[] = [woke(options.steal === true ? "stolen" : held ? "recovered" : "released")];
  const lost = await lostEvents(store, opened.value.state);
  if (!lost.ok) return lost;
  return ok({ lease: lease.value, ...opened.value, first: [...first, ...lost.value] });
}

/** Losses of the store that this session has not been told of. */
async function lostEvents(store: Store, state: State): Promise<Result<readonly NewEvent[]>> {
  const losses = await store.losses();
  if (!losses.ok) return losses;
  const events: NewEvent[] = [];
  for (const loss of losses.value) {
    const to = loss.to ?? 0;
    if (to <= state.kernel.lostTo) continue;
    events.push({ type: "store.lost", data: { from: loss.from ?? 0, to, message: loss.message } });
  }
  return ok(events);
}
