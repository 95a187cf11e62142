import type { Connection } from "./connection.ts";
import { checkSeal, sealOf } from "./seal.ts";
import { streamIdOf } from "./stream-table.ts";
import { numberOf, utf8Of } from "./values.ts";

/** Writes a scratch row of a session, or deletes it when its value is null. */
export function setScratch(
  connection: Connection,
  { session, key, value }: { readonly session: string; readonly key: string; readonly value: string | null },
): void {
  const stream = streamIdOf(connection, session);
  const name = Buffer.from(key, "utf8");
  if (value === null) connection.sql("DELETE FROM scratch WHERE stream = ? AND key = ?").run(stream, name);
  else {
    connection
      .sql(
        `INSERT INTO scratch (stream, key, value, seal) VALUES (?, ?, ?, ?)
         ON CONFLICT (stream, key) DO UPDATE SET value = excluded.value, seal = excluded.seal`,
      )
      .run(stream, name, Buffer.from(value, "utf8"), sealOf(stream, key, value));
  }
}

/** The scratch rows of a session. */
export function readScratch(connection: Connection, session: string): Readonly<Record<string, string>> {
  const rows = connection
    .sql(
      "SELECT c.stream, c.key, c.value, c.seal FROM scratch c JOIN stream s ON s.id = c.stream WHERE s.name = ? AND s.removed = 0",
    )
    .all(session);
  // Object.fromEntries makes own properties of any name, `__proto__` too.
  return Object.fromEntries(
    rows.map((row) => {
      const entry = [utf8Of(row, "key"), utf8Of(row, "value")] as const;
      checkSeal(row, "scratch", numberOf(row, "stream"), ...entry);
      return entry;
    }),
  );
}
