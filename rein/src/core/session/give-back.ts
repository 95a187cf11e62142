import { ok, type Result } from "../errors.ts";
import type { Lease, Store } from "./store.ts";

/** Leases that nobody in this process uses any more, and that their store would not take back: it was full, or away. */
const kept = new WeakMap<Store, Map<string, Lease>>();

/**
 * Gives a lease back from outside a drive. When a command waits already the store does not let it go; then it is left to end at once,
 * so that whoever takes the session up next takes the command in. A lease that cannot be given back is kept for {@link giveBackKept}:
 * its owner lives, so it would shut this process itself out until it has expired.
 */
export async function giveBack(store: Store, lease: Lease): Promise<Result<void>> {
  const given = await giveOrEnd(store, lease);
  const leases = kept.get(store) ?? new Map<string, Lease>();
  if (given.ok) leases.delete(lease.session);
  else kept.set(store, leases.set(lease.session, lease));
  return given;
}

/** Gives back what this process kept of a session's lease; to be called before the session is taken. Who took it meanwhile keeps it. */
export async function giveBackKept(store: Store, session: string): Promise<Result<void>> {
  const lease = kept.get(store)?.get(session);
  return lease === undefined ? ok(undefined) : giveBack(store, lease);
}

async function giveOrEnd(store: Store, lease: Lease): Promise<Result<void>> {
  const released = await store.commit({ release: [{ session: lease.session, token: lease.token }] });
  if (released.ok || released.error.code === "lease_lost") return ok(undefined);
  if (released.error.code !== "conflict") return released;
  const renewed = await store.renew(lease, 1);
  return renewed.ok ? ok(undefined) : renewed;
}
