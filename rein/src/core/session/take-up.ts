/** Taking a session up: the lease, the folded log, and the first events of this life. */
import { fail, ok, type Result } from "../errors.ts";
import { closeInFlight } from "./close-in-flight.ts";
import type { Composition } from "./compose.ts";
import type { NewEvent } from "./event.ts";
import { giveBack, giveBackKept } from "./give-back.ts";
import { importedBehind } from "./imported-behind.ts";
import type { KernelEvents, SessionSettings } from "./kernel-events.ts";
import { openSession, unknownSession } from "./open-session.ts";
import type { State } from "./part.ts";
import type { Lease, Owner, SessionInfo, Store } from "./store.ts";

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
  readonly owner: Owner;
  readonly session: string;
  readonly ttl: number;
  /** For a session that does not exist yet. */
  readonly create?: { readonly settings: SessionSettings; readonly gates: readonly string[]; readonly parent?: string };
  /** Take the lease by force (kill). */
  readonly steal?: boolean;
}

/**
 * Takes a session up. `lease_held` names who has it; `session_unknown` when it does not exist and `create` is absent,
 * `session_exists` when it does and `create` is given. A failure gives the lease back.
 */
export async function takeUp(options: TakeUpOptions): Promise<Result<TakenUp>> {
  const { store, owner, session } = options;
  const before = await find(options);
  if (!before.ok) return before;
  const kept = await giveBackKept(store, session);
  if (!kept.ok) return kept;
  const lease = await store.acquire(session, owner, options.ttl, { steal: options.steal === true });
  if (!lease.ok) return lease;
  const taken = await take(options, lease.value, before.value?.lease !== undefined);
  if (taken.ok) return taken;
  const back = await giveBack(store, lease.value);
  return back.ok ? taken : back;
}

/** The session as it stands, null for one that is to be created. */
async function find({ store, session, create }: TakeUpOptions): Promise<Result<SessionInfo | null>> {
  const found = await store.session(session);
  if (!found.ok) return found;
  // A stream without an event is a lease, not a session.
  const info = found.value !== null && found.value.head.seq > 0 ? found.value : null;
  if (create === undefined && info === null) return fail("session_unknown", ...unknownSession(store, session));
  if (create !== undefined && info !== null) {
    return fail("session_exists", `There is a session ${session} already.`, "Choose another id, or resume that one.");
  }
  return ok(info);
}

/** With the lease in hand nobody else appends: only what is found now is what the first events follow. */
async function take(options: TakeUpOptions, lease: Lease, wasHeld: boolean): Promise<Result<TakenUp>> {
  const info = await find(options);
  if (!info.ok) return info;
  return info.value === null ? created(options, lease) : resumed(options, lease, info.value, wasHeld);
}

async function created({ composition, session, create }: TakeUpOptions, lease: Lease): Promise<Result<TakenUp>> {
  const first: NewEvent[] = [{ type: "session.created", data: create }, woke(lease, "created")];
  return ok({ lease, state: composition.initial(session), how: "new", read: 0, first });
}

async function resumed(
  options: TakeUpOptions,
  lease: Lease,
  info: SessionInfo,
  wasHeld: boolean,
): Promise<Result<TakenUp>> {
  const { store, composition, session } = options;
  const opened = await openSession(store, composition, session);
  if (!opened.ok) return opened;
  const { state } = opened.value;
  const lost = await lostEvents(store, state, info);
  if (!lost.ok) return lost;
  const copy = await copyEvents(store, state, info);
  if (!copy.ok) return copy;
  const how = options.steal === true ? "stolen" : wasHeld ? "recovered" : "released";
  const first = [...copy.value, woke(lease, how), ...lost.value];
  return ok({ lease, ...opened.value, first });
}

function woke(lease: Lease, how: KernelEvents["brain.woke"]["how"]): NewEvent {
  const data: KernelEvents["brain.woke"] = { token: lease.token, owner: lease.owner, how };
  return { type: "brain.woke", data };
}

/** What a copy still needs before its first life: the end of a fork whose process died in the middle, what an import left in flight. */
async function copyEvents(
  store: Store,
  state: State,
  { head, forkedFrom }: SessionInfo,
): Promise<Result<readonly NewEvent[]>> {
  if (forkedFrom === undefined || forkedFrom.seq !== head.seq)
    return ok(state.kernel.copied ? closeInFlight(state, "exported") : []);
  const { session: parent, seq } = forkedFrom;
  const imported = await importedBehind(store, parent, seq);
  if (!imported.ok) return imported;
  const forked: KernelEvents["session.forked"] = {
    parent,
    seq,
    hash: head.hash,
    ...(imported.value && { imported: true }),
  };
  return ok([{ type: "session.forked", data: forked }, ...closeInFlight(state, "forked")]);
}

/** Losses of the store that this session has not been told of. */
async function lostEvents(
  store: Store,
  state: State,
  { createdAt, forkedFrom }: SessionInfo,
): Promise<Result<readonly NewEvent[]>> {
  const losses = await store.losses();
  if (!losses.ok) return losses;
  const events: NewEvent[] = [];
  for (const loss of losses.value) {
    // A store numbers its changes for itself, and says so in the place.
    const { fromRow = 0, toRow = 0 } = loss.place ?? {};
    const to = loss.to ?? Number(toRow);
    if (loss.kind === "notice" || to <= state.kernel.lostTo) continue;
    // A session that was made since has lost nothing.
    if (forkedFrom === undefined && Number(loss.place?.foundAt ?? Number.POSITIVE_INFINITY) <= createdAt) continue;
    events.push({ type: "store.lost", data: { from: loss.from ?? Number(fromRow), to, message: loss.message } });
  }
  return ok(events);
}
