import { ok, type Result } from "../errors.ts";
import type { Lease, Store } from "./store.ts";

/**
 * Gives a lease back from outside a drive. When a command waits already the store does not let it go; then it is left to end at once,
 * so that whoever takes the session up next takes the command in.
 */
export async function giveBack(store: Store, lease: Lease): Promise<Result<void>> {
  const released = await store.commit({ release: [{ session: lease.session, token: lease.token }] });
  if (released.ok || released.error.code === "lease_lost") return ok(undefined);
  if (released.error.code !== "conflict") return released;
  const renewed = await store.renew(lease, 1);
  return renewed.ok ? ok(undefined) : renewed;
}
