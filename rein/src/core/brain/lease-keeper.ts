import type { ReinError } from "../errors.ts";
import type { Clock } from "../ports.ts";
import type { Lease, Store } from "../session/store.ts";

/** A lease lasts this long without a renewal, milliseconds. */
export const LEASE_TTL = 15_000;

/** Renews a lease until stopped; tells when it is lost. */
export function keepLease(
  store: Store,
  clock: Clock,
  lease: Lease,
  ttl: number,
  lost: (error: ReinError) => void,
): () => void {
  const stop = new AbortController();
  void (async () => {
    let current = lease;
    while (!stop.signal.aborted) {
      await clock.sleep(ttl / 3, stop.signal);
      if (stop.signal.aborted) return;
      const renewed = await store.renew(current, ttl);
      if (renewed.ok) current = renewed.value;
      else if (renewed.error.code === "lease_lost" && !stop.signal.aborted) return lost(renewed.error);
    }
  })();
  return () => stop.abort();
}
