import { fail, ok, type Result } from "../../core/errors.ts";
import type { Lease, Owner } from "../../core/session/index.ts";

/** What a store knows of the process that holds a lease. `unknown`: it lives out of sight, only expiry counts. */
export type Liveness = (owner: Owner) => "alive" | "dead" | "unknown";

interface Held {
  readonly owner: Owner;
  readonly ttlMs: number;
  expiresAt: number;
}

interface SessionLease {
  /** Token of the newest taking; stays when the lease goes, so that no token is ever given twice. */
  token: number;
  held: Held | null;
}

/** Who may append to which session. */
export class Leases {
  readonly #sessions = new Map<string, SessionLease>();
  readonly #now: () => number;
  readonly #liveness: Liveness;

  constructor(now: () => number, liveness: Liveness) {
    this.#now = now;
    this.#liveness = liveness;
  }

  /** Whether a token is the current one. An expired lease that nobody took since is still its holder's. */
  isCurrent(session: string, token: number): boolean {
    const lease = this.#sessions.get(session);
    return lease !== undefined && lease.held !== null && lease.token === token;
  }

  /** The lease that is in force by the store's clock. */
  inForce(session: string): Lease | undefined {
    const lease = this.#sessions.get(session);
    if (lease === undefined || lease.held === null || this.#hasExpired(lease.held)) return undefined;
    return leaseOf(session, lease.token, lease.held);
  }

  acquire(session: string, owner: Owner, ttlMs: number, steal: boolean): Result<Lease> {
    const lease = this.#sessions.get(session) ?? { token: 0, held: null };
    const { held } = lease;
    if (held !== null && !steal && !this.#hasExpired(held) && this.#liveness(held.owner) !== "dead") {
      const { pid, host } = held.owner;
      return fail(
        "lease_held",
        `Session ${JSON.stringify(session)} is in the hands of process ${pid} on ${host}.`,
        "Send it a command, fork the session, or end that process.",
        { place: { pid, host, expiresAt: held.expiresAt } },
      );
    }
    lease.token += 1;
    lease.held = { owner, ttlMs, expiresAt: this.#now() + ttlMs };
    this.#sessions.set(session, lease);
    return ok(leaseOf(session, lease.token, lease.held));
  }

  renew(session: string, token: number, ttlMs: number): Lease | undefined {
    const lease = this.#sessions.get(session);
    if (lease === undefined || lease.held === null || lease.token !== token) return undefined;
    lease.held = { owner: lease.held.owner, ttlMs, expiresAt: this.#now() + ttlMs };
    return leaseOf(session, token, lease.held);
  }

  /** Ends the lease; false when there was none. */
  drop(session: string): boolean {
    const lease = this.#sessions.get(session);
    if (lease === undefined || lease.held === null) return false;
    lease.held = null;
    return true;
  }

  #hasExpired(held: Held): boolean {
    const now = this.#now();
    // A clock that was ahead and has been set back would keep the lease for ever: it never lasts longer than from now.
    held.expiresAt = Math.min(held.expiresAt, now + held.ttlMs);
    return held.expiresAt <= now;
  }
}

function leaseOf(session: string, token: number, held: Held): Lease {
  return { session, token, owner: held.owner, expiresAt: held.expiresAt };
}
