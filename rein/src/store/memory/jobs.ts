import type { Job } from "../../core/session/index.ts";

interface Waiting {
  readonly job: Job;
  /** The claim in force, if any. */
  claim: { readonly ttlMs: number; expiresAt: number } | null;
}

/** Queues of jobs, oldest first. */
export class Jobs {
  readonly #jobs = new Map<string, Waiting>();
  #last = 0;

  add(queue: string, key: string, payload: string): void {
    this.#last += 1;
    const id = String(this.#last);
    this.#jobs.set(id, { job: { id, queue, key, payload }, claim: null });
  }

  claim(queue: string, ttlMs: number, now: number): Job | null {
    for (const waiting of this.#jobs.values()) {
      if (waiting.job.queue !== queue || isClaimed(waiting, now)) continue;
      waiting.claim = { ttlMs, expiresAt: now + ttlMs };
      return waiting.job;
    }
    return null;
  }

  /** False when there is no such job. */
  finish(id: string): boolean {
    return this.#jobs.delete(id);
  }
}

function isClaimed({ claim }: Waiting, now: number): boolean {
  if (claim === null) return false;
  // As with leases: a clock that was set back must not keep a claim for ever.
  claim.expiresAt = Math.min(claim.expiresAt, now + claim.ttlMs);
  return claim.expiresAt > now;
}
