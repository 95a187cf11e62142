import { type ReinError, type Result, reinError } from "../errors.ts";
import type { Clock } from "../ports.ts";
import type { Lease, Store, StoreChange } from "../session/store.ts";

/** A lease lasts this long without a renewal, milliseconds. */
export const LEASE_TTL = 15_000;

/** Renews a lease, and looks at once whether it still holds when somebody else has written. */
export class LeaseKeeper {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #lease: Lease;
  readonly #lost: (error: ReinError) => void;
  readonly #stop = new AbortController();
  /** Appends of the holder to the session that have not been heard of yet. */
  #unheard = 0;

  constructor(store: Store, clock: Clock, lease: Lease, lost: (error: ReinError) => void) {
    this.#store = store;
    this.#clock = clock;
    this.#lease = lease;
    this.#lost = lost;
  }

  /** Starts the renewals. */
  start(ttl: number): void {
    void this.#renew(ttl);
  }

  /** Commits for the holder, so that its own appends are told from others'. */
  async commit<T>(appends: boolean, commit: () => Promise<Result<T>>): Promise<Result<T>> {
    if (!appends) return commit();
    this.#unheard += 1;
    const committed = await commit();
    if (!committed.ok) this.#unheard -= 1;
    return committed;
  }

  /** Hears of a change of the store. */
  notice(change: StoreChange): void {
    if (change.kind === "elsewhere") void this.#look();
    if (change.kind !== "append" || change.stream !== this.#lease.session) return;
    if (this.#unheard > 0) this.#unheard -= 1;
    else void this.#look();
  }

  /** Ends the renewals. */
  close(): void {
    this.#stop.abort();
  }

  async #renew(ttl: number): Promise<void> {
    const { signal } = this.#stop;
    let renewedAt = this.#clock.monotonic();
    for (;;) {
      await this.#clock.sleep(ttl / 3, signal);
      if (signal.aborted) return;
      const renewed = await this.#store.renew(this.#lease, ttl);
      if (signal.aborted) return;
      if (renewed.ok) renewedAt = this.#clock.monotonic();
      // A store that cannot be reached may come back, but not after the lease: then somebody else may have the session.
      else if (renewed.error.code === "lease_lost" || this.#clock.monotonic() - renewedAt >= ttl) {
        return this.#lost(renewed.error);
      }
    }
  }

  async #look(): Promise<void> {
    const found = await this.#store.session(this.#lease.session);
    // What cannot be read is met again by the next commit, which is fenced.
    if (this.#stop.signal.aborted || !found.ok || found.value?.lease?.token === this.#lease.token) return;
    if (found.value?.lease === undefined) return;
    const { pid, host } = found.value.lease.owner;
    const message = `Process ${pid} on ${host} has taken session ${this.#lease.session}.`;
    this.#lost(reinError("lease_lost", message, "It goes on there: send it a command, or resume it when it is free."));
  }
}
