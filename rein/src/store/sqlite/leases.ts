import { fail, ok, type ReinError, type Result, reinError } from "../../core/errors.ts";
import { parseJson } from "../../core/json.ts";
import type { Lease, Owner } from "../../core/session/index.ts";
import type { Connection } from "./connection.ts";
import { livenessOf } from "./owner.ts";
import { checkSeal, sealOf } from "./seal.ts";
import { reseal, streamById, streamIdOf } from "./stream-table.ts";
import { numberOf, OddValue, textOf } from "./values.ts";

/** A lease as the table holds it. */
interface Held {
  readonly token: number;
  readonly owner: Owner;
  readonly ttl: number;
  readonly expiresAt: number;
}

/** Takes the lease of a session; to be called within a write. */
export function acquireLease(
  connection: Connection,
  session: string,
  owner: Owner,
  ttl: number,
  steal: boolean,
): Result<Lease> {
  const id = streamIdOf(connection, session);
  const held = heldOf(connection, id);
  if (held !== null && !steal && held.expiresAt > connection.now() && livenessOf(held.owner) !== "dead")
    return leaseHeld(session, held);
  const stream = streamById(connection, id);
  if (!stream.ok) return stream;
  const token = stream.value.token + 1;
  const expiresAt = connection.now() + ttl;
  reseal(connection, { ...stream.value, token });
  writeLease(connection, id, { token, owner, ttl, expiresAt });
  return ok({ session, token, owner, expiresAt });
}

/**
 * Before a lease is judged: one whose end is further away than its own length was taken by a clock that has been set back
 * since, and would last until that clock comes round again. It gets its own length from now.
 */
export function shortenLease(connection: Connection, session: string): void {
  const id = streamIdOf(connection, session);
  const held = heldOf(connection, id);
  // What is read is shortened already.
  if (held !== null) writeLease(connection, id, held);
}

/** Extends a lease; to be called within a write. */
export function renewLease(connection: Connection, lease: Lease, ttl: number): Result<Lease> {
  const { session, token } = lease;
  const id = streamIdOf(connection, session);
  const held = heldOf(connection, id);
  if (held?.token !== token) return { ok: false, error: leaseLost(session, token) };
  const expiresAt = connection.now() + ttl;
  writeLease(connection, id, { ...held, ttl, expiresAt });
  return ok({ session, token, owner: held.owner, expiresAt });
}

/** The lease of a session that is in force by the store's clock; null when it has expired or there is none. */
export function leaseInForce(connection: Connection, id: number, session: string): Lease | null {
  const held = heldOf(connection, id);
  if (held === null || held.expiresAt <= connection.now()) return null;
  return { session, token: held.token, owner: held.owner, expiresAt: held.expiresAt };
}

/** Whether anybody holds a session who may still be alive. */
export function isHeld(connection: Connection, id: number): boolean {
  const held = heldOf(connection, id);
  return held !== null && held.expiresAt > connection.now() && livenessOf(held.owner) !== "dead";
}

/** The error of who shows a token that is not the current one. */
export function leaseLost(session: string, token: number): ReinError {
  return reinError(
    "lease_lost",
    `Token ${token} is not the current one of session ${JSON.stringify(session)}.`,
    "Another process took the session, or it was given back: stop all effects and resume it anew.",
  );
}

function leaseHeld(session: string, { owner, expiresAt }: Held): ReturnType<typeof fail> {
  return fail(
    "lease_held",
    `Session ${JSON.stringify(session)} is in the hands of process ${owner.pid} on ${owner.host}.`,
    "Send it a command, fork the session, or end that process.",
    { place: { pid: owner.pid, host: owner.host, expiresAt } },
  );
}

function heldOf(connection: Connection, id: number): Held | null {
  const row = connection.sql("SELECT token, owner, ttl, expires_at, seal FROM lease WHERE stream = ?").get(id);
  if (row === undefined) return null;
  const ttl = numberOf(row, "ttl");
  checkSeal(row, "lease", id, numberOf(row, "token"), textOf(row, "owner"), ttl, numberOf(row, "expires_at"));
  const expiresAt = Math.min(numberOf(row, "expires_at"), connection.now() + ttl);
  return { token: numberOf(row, "token"), owner: ownerOf(textOf(row, "owner")), ttl, expiresAt };
}

function writeLease(connection: Connection, id: number, { token, owner, ttl, expiresAt }: Held): void {
  const text = ownerText(owner);
  connection
    .sql(
      `INSERT INTO lease (stream, token, owner, ttl, expires_at, seal) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (stream) DO UPDATE SET token = excluded.token, owner = excluded.owner, ttl = excluded.ttl,
         expires_at = excluded.expires_at, seal = excluded.seal`,
    )
    .run(id, token, text, ttl, expiresAt, sealOf(id, token, text, ttl, expiresAt));
}

function ownerText({ host, bootId, pidNamespace, pid, startTime }: Owner): string {
  return JSON.stringify([host, bootId, pidNamespace, pid, startTime]);
}

function ownerOf(text: string): Owner {
  const parsed = parseJson(text, "The owner of a lease");
  const [host, bootId, pidNamespace, pid, startTime] = parsed.ok && Array.isArray(parsed.value) ? parsed.value : [];
  if (
    typeof host !== "string" ||
    typeof bootId !== "string" ||
    typeof pidNamespace !== "string" ||
    typeof pid !== "number" ||
    typeof startTime !== "string"
  ) {
    throw new OddValue("owner", text);
  }
  return { host, bootId, pidNamespace, pid, startTime };
}
