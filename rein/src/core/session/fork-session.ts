/** Forking a session: the child's log goes on where the parent's was cut, with nothing left in the air. */
import { ok, type Result } from "../errors.ts";
import type { Clock } from "../ports.ts";
import { closeInFlight } from "./close-in-flight.ts";
import type { Composition } from "./compose.ts";
import type { NewEvent } from "./event.ts";
import { giveBack } from "./give-back.ts";
import { importedBehind } from "./imported-behind.ts";
import { openSession } from "./open-session.ts";
import type { Owner, Store } from "./store.ts";

/** What forking needs. */
export interface ForkOptions {
  readonly store: Store;
  readonly composition: Composition;
  readonly clock: Clock;
  readonly owner: Owner;
  readonly ttl: number;
  readonly parent: string;
  /** The last event of the parent that the child has; default the newest. */
  readonly seq?: number;
  /** Id of the child. */
  readonly child: string;
}

/**
 * Forks a session. Calls that are open at that place get a result that says so; inbox, approvals, lease and timers stay behind. A
 * process that dies in the middle leaves a child that {@link takeUp} completes.
 */
export async function forkSession(
  options: ForkOptions,
): Promise<Result<{ readonly session: string; readonly seq: number; readonly kept: number }>> {
  const { store, composition, clock, owner, parent, child } = options;
  const head = await store.head(parent);
  if (!head.ok) return head;
  const seq = options.seq ?? head.value?.seq ?? 0;
  const imported = await importedBehind(store, parent, seq);
  if (!imported.ok) return imported;
  const forked = await store.fork(parent, seq, child);
  if (!forked.ok) return forked;
  const lease = await store.acquire(child, owner, options.ttl);
  if (!lease.ok) return lease;
  const opened = await openSession(store, composition, child);
  if (!opened.ok) {
    const released = await giveBack(store, lease.value);
    return released.ok ? opened : released;
  }
  const events: NewEvent[] = [
    {
      type: "session.forked",
      data: { parent, seq, hash: forked.value.hash, ...(imported.value && { imported: true }) },
    },
    ...closeInFlight(opened.value.state, "forked"),
  ];
  const at = clock.now();
  const encoded = events.map((event) => composition.encode(event, at));
  const { token } = lease.value;
  const written = await store.commit({ appends: [{ stream: child, expectedSeq: seq, token, events: encoded }] });
  const released = await giveBack(store, lease.value);
  if (!written.ok) return written;
  return released.ok ? ok({ session: child, seq: seq + events.length, kept: seq }) : released;
}
