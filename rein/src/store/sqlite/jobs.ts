import type { Job, Owner } from "../../core/session/index.ts";
import type { Connection } from "./connection.ts";
import { checkSeal, sealOf } from "./seal.ts";
import { numberOf, utf8Of } from "./values.ts";

/** Adds a job to the end of a queue. */
export function addJob(connection: Connection, queue: string, key: string, payload: string): void {
  connection
    .sql("INSERT INTO job (queue, key, payload, seal) VALUES (?, ?, ?, ?)")
    .run(
      Buffer.from(queue, "utf8"),
      Buffer.from(key, "utf8"),
      Buffer.from(payload, "utf8"),
      sealOf(queue, key, payload),
    );
}

/** Claims the oldest free job of a queue; null when there is none. */
export function claimJob(connection: Connection, queue: string, owner: Owner, ttl: number): Job | null {
  const name = Buffer.from(queue, "utf8");
  const now = connection.now();
  // As with leases: a clock that was set back must not keep a claim for ever.
  connection.sql("UPDATE job SET expires_at = ? + ttl WHERE queue = ? AND expires_at > ? + ttl").run(now, name, now);
  const row = connection
    .sql(
      `UPDATE job SET owner = ?, ttl = ?, expires_at = ? WHERE id = (
         SELECT id FROM job WHERE queue = ? AND (expires_at IS NULL OR expires_at <= ?) ORDER BY id LIMIT 1
       ) RETURNING id, key, payload, seal`,
    )
    .get(`${owner.host} ${owner.pid}`, ttl, now + ttl, name, now);
  if (row === undefined) return null;
  const job: Job = { id: String(numberOf(row, "id")), queue, key: utf8Of(row, "key"), payload: utf8Of(row, "payload") };
  checkSeal(row, "job", queue, job.key, job.payload);
  return job;
}

/** Ends a job; false when there is none of that id. */
export function finishJob(connection: Connection, job: string): boolean {
  if (!/^\d{1,15}$/.test(job)) return false;
  return Number(connection.sql("DELETE FROM job WHERE id = ?").run(Number(job)).changes) > 0;
}
