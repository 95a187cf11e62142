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
  /** The holder is giving the lease back itself. */
  #givingBack = false;
  #ttl = LEASE_TTL;

  constructor(store: Store, clock: Clock, lease: Lease, lost: (error: ReinError) => void) {
    this.#store = store;
    this.#clock = clock;
    this.#lease = lease;
    this.#lost = lost;
  }

  /** Starts the renewals. */
  start(ttl: number): void {
    this.#ttl = ttl;
    void this.#renew();
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

  /** Gives the lease back by `release`, which says whether it is gone; then it is no longer watched. */
  async giveBack(release: () => Promise<Result<boolean>>): Promise<Result<boolean>> {
    this.#givingBack = true;
    const released = await release();
    if (released.ok && released.value) {
      this.close();
      return released;
    }
    this.#givingBack = false;
    // What was heard of in between was not looked at.
    void this.#look();
    return released;
  }

  /** Ends the renewals. */
  close(): void {
    this.#stop.abort();
  }

  async #renew(): Promise<void> {
    const ttl = this.#ttl;
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
    if (this.#deaf || !found.ok || found.value?.lease?.token === this.#lease.token) return;
    const holder = found.value?.lease?.owner;
    if (holder !== undefined) {
      const { pid, host } = holder;
      return this.#lose(`Process ${pid} on ${host} has taken session ${this.#lease.session}.`);
    }
    // Nobody has it: it has expired, and is renewed, or another has taken it and given it back already.
    const renewed = await this.#store.renew(this.#lease, this.#ttl);
    if (this.#deaf || renewed.ok || renewed.error.code !== "lease_lost") return;
    this.#lose(`Another process had taken session ${this.#lease.session} and has given it back.`);
  }

  get #deaf(): boolean {
    return this.#givingBack || this.#stop.signal.aborted;
  }

  #lose(message: string): void {
    this.#lost(reinError("lease_lost", message, "It goes on there: send it a command, or resume it when it is free."));
  }
}
