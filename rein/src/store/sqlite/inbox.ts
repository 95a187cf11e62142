import { ok, type Result } from "../../core/errors.ts";
import type { InboxEntry } from "../../core/session/index.ts";
import type { Connection } from "./connection.ts";
import { damage } from "./faults.ts";
import { checkSeal, sealOf } from "./seal.ts";
import { streamIdOf } from "./stream-table.ts";
import { bytesOf, numberOf, textOf, utf8Of } from "./values.ts";

/** A command on its way into an inbox. */
export interface Command {
  readonly commandId: string;
  readonly session: string;
  readonly payload: string;
}

/** Puts a command; false when its id is known, also after it was taken. */
export function putCommand(connection: Connection, { commandId, session, payload }: Command): boolean {
  const id = Buffer.from(commandId, "utf8");
  if (connection.sql("SELECT 1 FROM command WHERE id = ?").get(id) !== undefined) return false;
  const putAt = Math.round(connection.now());
  connection
    .sql("INSERT INTO command (id, stream, put_at, payload, seal) VALUES (?, ?, ?, ?, ?)")
    .run(
      id,
      streamIdOf(connection, session),
      putAt,
      Buffer.from(payload, "utf8"),
      sealOfCommand(session, commandId, putAt, payload),
    );
  return true;
}

/** Takes a command and gives its session; null when it does not wait. Its payload goes, its id stays known. */
export function takeCommand(connection: Connection, commandId: string): string | null {
  const id = Buffer.from(commandId, "utf8");
  const row = connection
    .sql(
      "SELECT c.n, c.put_at, s.name FROM command c JOIN stream s ON s.id = c.stream WHERE c.id = ? AND c.payload IS NOT NULL",
    )
    .get(id);
  if (row === undefined) return null;
  const session = textOf(row, "name");
  const seal = sealOfCommand(session, commandId, numberOf(row, "put_at"), null);
  connection.sql("UPDATE command SET payload = NULL, seal = ? WHERE n = ?").run(seal, numberOf(row, "n"));
  return session;
}

/** The waiting commands of a session, oldest first, each checked against its seal. */
export function readInbox(connection: Connection, session: string): Result<readonly InboxEntry[]> {
  const rows = connection
    .sql(
      `SELECT c.n, c.id, c.put_at, c.payload, c.seal FROM command c JOIN stream s ON s.id = c.stream
       WHERE s.name = ? AND s.removed = 0 AND c.payload IS NOT NULL ORDER BY c.n`,
    )
    .all(session);
  const entries: InboxEntry[] = [];
  for (const row of rows) {
    const entry: InboxEntry = {
      commandId: utf8Of(row, "id"),
      session,
      payload: utf8Of(row, "payload"),
      putAt: numberOf(row, "put_at"),
    };
    if (!sealOfCommand(session, entry.commandId, entry.putAt, entry.payload).equals(bytesOf(row, "seal"))) {
      const message = `A command in the inbox of ${JSON.stringify(session)} was changed.`;
      return {
        ok: false,
        error: damage(connection.file, message, { place: { table: "command", n: numberOf(row, "n") } }),
      };
    }
    entries.push(entry);
  }
  return ok(entries);
}

/** Seal of a command: it also tells one that was moved to another session. `payload` null once it was taken. */
export function sealOfCommand(session: string, commandId: string, putAt: number, payload: string | null): Buffer {
  return sealOf(session, commandId, putAt, payload);
}

/** Number of waiting commands of a stream. */
export function countInbox(connection: Connection, stream: number): number {
  const row = connection.sql("SELECT count(*) AS n FROM command WHERE stream = ? AND payload IS NOT NULL").get(stream);
  return row === undefined ? 0 : numberOf(row, "n");
}

/** Sets a durable timer, or deletes it when `at` is null. */
export function setWake(
  connection: Connection,
  { session, name, at }: { readonly session: string; readonly name: string; readonly at: number | null },
): void {
  const stream = streamIdOf(connection, session);
  const key = Buffer.from(name, "utf8");
  if (at === null) connection.sql("DELETE FROM wake WHERE stream = ? AND name = ?").run(stream, key);
  else {
    connection
      .sql(
        `INSERT INTO wake (stream, name, at, seal) VALUES (?, ?, ?, ?)
         ON CONFLICT (stream, name) DO UPDATE SET at = excluded.at, seal = excluded.seal`,
      )
      .run(stream, key, at, sealOf(stream, name, at));
  }
}

/** Number of due wakes of a stream. */
export function countDueWakes(connection: Connection, stream: number): number {
  const row = connection
    .sql("SELECT count(*) AS n FROM wake WHERE stream = ? AND at <= ?")
    .get(stream, connection.now());
  return row === undefined ? 0 : numberOf(row, "n");
}

/** Names of the due wakes of a session. */
export function dueWakes(connection: Connection, session: string): readonly string[] {
  return connection
    .sql(
      `SELECT w.stream, w.name, w.at, w.seal FROM wake w JOIN stream s ON s.id = w.stream
       WHERE s.name = ? AND s.removed = 0 AND w.at <= ? ORDER BY w.at, w.name`,
    )
    .all(session, connection.now())
    .map((row) => {
      const name = utf8Of(row, "name");
      checkSeal(row, "wake", numberOf(row, "stream"), name, numberOf(row, "at"));
      return name;
    });
}

/** Sessions for which a command waits or a wake is due, with the number of their stream. */
export function wantingSessions(connection: Connection): readonly { readonly id: number; readonly session: string }[] {
  return connection
    .sql(
      `SELECT id, name FROM stream WHERE removed = 0 AND id IN (
         SELECT stream FROM command WHERE payload IS NOT NULL UNION SELECT stream FROM wake WHERE at <= ?
       ) ORDER BY id`,
    )
    .all(connection.now())
    .map((row) => ({ id: numberOf(row, "id"), session: textOf(row, "name") }));
}
