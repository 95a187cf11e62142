import { type ReinError, reinError } from "../../core/errors.ts";
import type { Reservation, Settlement } from "../../core/session/index.ts";
import type { Connection } from "./connection.ts";
import { checkSeal, sealOf } from "./seal.ts";
import { numberOf, utf8Of } from "./values.ts";

/** What is reserved and spent in a scope. */
export function readCounter(
  connection: Connection,
  scope: string,
): { readonly reserved: number; readonly spent: number } {
  const key = Buffer.from(scope, "utf8");
  const spent = connection.sql("SELECT spent, seal FROM spending WHERE scope = ?").get(key);
  // Added here and not by SQL, whose sum() rounds in another way than the limits of callers do.
  const open = connection.sql("SELECT key, amount, seal FROM reservation WHERE scope = ?").all(key);
  let reserved = 0;
  for (const row of open) {
    checkSeal(row, "reservation", scope, utf8Of(row, "key"), numberOf(row, "amount"));
    reserved += numberOf(row, "amount");
  }
  if (spent !== undefined) checkSeal(spent, "spending", scope, numberOf(spent, "spent"));
  return { reserved, spent: spent === undefined ? 0 : numberOf(spent, "spent") };
}

/** Reserves an amount, or says why not. */
export function reserve(connection: Connection, { scope, key, amount, limit }: Reservation): ReinError | null {
  const names = [Buffer.from(scope, "utf8"), Buffer.from(key, "utf8")] as const;
  if (connection.sql("SELECT 1 FROM reservation WHERE scope = ? AND key = ?").get(...names) !== undefined) {
    const message = `${JSON.stringify(key)} is reserved in ${JSON.stringify(scope)} already.`;
    return reinError("conflict", message, "Settle it first, or give this reservation a key of its own.");
  }
  const { reserved, spent } = readCounter(connection, scope);
  if (reserved + spent + amount > limit) {
    const message = `${amount} does not fit into ${JSON.stringify(scope)}: ${spent} spent and ${reserved} reserved of ${limit}.`;
    return reinError(
      "budget_refused",
      message,
      "Raise the limit, wait until reservations are settled, or ask for less.",
    );
  }
  connection
    .sql("INSERT INTO reservation (scope, key, amount, seal) VALUES (?, ?, ?, ?)")
    .run(...names, amount, sealOf(scope, key, amount));
  return null;
}

/** Turns a reservation into what was spent, or says why not. */
export function settle(connection: Connection, { scope, key, actual }: Settlement): ReinError | null {
  const scopeKey = Buffer.from(scope, "utf8");
  const { changes } = connection
    .sql("DELETE FROM reservation WHERE scope = ? AND key = ?")
    .run(scopeKey, Buffer.from(key, "utf8"));
  if (Number(changes) === 0) {
    const message = `Nothing is reserved as ${JSON.stringify(key)} in ${JSON.stringify(scope)}.`;
    return reinError("conflict", message, "It was settled before, or never reserved: read the counter.");
  }
  const spent = readCounter(connection, scope).spent + actual;
  connection
    .sql(
      `INSERT INTO spending (scope, spent, seal) VALUES (?, ?, ?)
       ON CONFLICT (scope) DO UPDATE SET spent = excluded.spent, seal = excluded.seal`,
    )
    .run(scopeKey, spent, sealOf(scope, spent));
  return null;
}
