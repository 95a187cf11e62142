import type { Connection } from "./connection.ts";
import { sealOfCommand } from "./inbox.ts";
import { sealOf } from "./seal.ts";
import { bytesOf, numberOf, type Row, textOf, utf8Of } from "./values.ts";

/** A table whose rows carry a seal. */
interface SealedTable {
  readonly table: string;
  /** Selects the rows, a number of each as `place` where it has one. */
  readonly rows: string;
  readonly seal: (row: Row) => Buffer;
}

/** What stands under seal, table by table. Streams are checked one by one where they are read. */
const SEALED_TABLES: readonly SealedTable[] = [
  { table: "tip", rows: "SELECT id AS place, row, seal FROM tip", seal: (row) => sealOf(numberOf(row, "row")) },
  {
    table: "lease",
    rows: "SELECT stream AS place, token, owner, ttl, expires_at, seal FROM lease",
    seal: (row) =>
      sealOf(
        numberOf(row, "place"),
        numberOf(row, "token"),
        textOf(row, "owner"),
        numberOf(row, "ttl"),
        numberOf(row, "expires_at"),
      ),
  },
  {
    table: "fence",
    rows: "SELECT 0 AS place, name_hash, token, seal FROM fence",
    seal: (row) => sealOf(bytesOf(row, "name_hash").toString("hex"), numberOf(row, "token")),
  },
  {
    table: "command",
    rows: "SELECT c.n AS place, ifnull(s.name, '') AS session, c.id, c.put_at, c.payload, c.seal FROM command c LEFT JOIN stream s ON s.id = c.stream",
    seal: (row) =>
      sealOfCommand(
        textOf(row, "session"),
        utf8Of(row, "id"),
        numberOf(row, "put_at"),
        row.payload === null ? null : utf8Of(row, "payload"),
      ),
  },
  {
    table: "blob_ref",
    rows: "SELECT blob AS place, stream, seal FROM blob_ref",
    seal: (row) => sealOf(numberOf(row, "place"), numberOf(row, "stream")),
  },
  {
    table: "scratch",
    rows: "SELECT stream AS place, key, value, seal FROM scratch",
    seal: (row) => sealOf(numberOf(row, "place"), utf8Of(row, "key"), utf8Of(row, "value")),
  },
  {
    table: "wake",
    rows: "SELECT stream AS place, name, at, seal FROM wake",
    seal: (row) => sealOf(numberOf(row, "place"), utf8Of(row, "name"), numberOf(row, "at")),
  },
  {
    table: "spending",
    rows: "SELECT 0 AS place, scope, spent, seal FROM spending",
    seal: (row) => sealOf(utf8Of(row, "scope"), numberOf(row, "spent")),
  },
  {
    table: "reservation",
    rows: "SELECT 0 AS place, scope, key, amount, seal FROM reservation",
    seal: (row) => sealOf(utf8Of(row, "scope"), utf8Of(row, "key"), numberOf(row, "amount")),
  },
  {
    table: "job",
    rows: "SELECT id AS place, queue, key, payload, seal FROM job",
    seal: (row) => sealOf(utf8Of(row, "queue"), utf8Of(row, "key"), utf8Of(row, "payload")),
  },
  {
    table: "cursor",
    rows: "SELECT 0 AS place, stream, name, seq, seal FROM cursor",
    seal: (row) => sealOf(utf8Of(row, "stream"), utf8Of(row, "name"), numberOf(row, "seq")),
  },
  {
    table: "snapshot",
    rows: "SELECT stream AS place, seq, hash, version, body, seal FROM snapshot",
    seal: (row) =>
      sealOf(
        numberOf(row, "place"),
        numberOf(row, "seq"),
        textOf(row, "hash"),
        textOf(row, "version"),
        utf8Of(row, "body"),
      ),
  },
  {
    table: "loss",
    rows: "SELECT id AS place, kind, first_row, last_row, seal FROM loss",
    seal: (row) => sealOf(textOf(row, "kind"), numberOf(row, "first_row"), numberOf(row, "last_row")),
  },
];

/** The tables that carry seals, by name. */
export const SEALED_TABLE_NAMES: readonly string[] = SEALED_TABLES.map(({ table }) => table);

/** The rows of a table whose seal does not fit, by their number. To be called within a read. */
export function brokenSeals(connection: Connection, name: string): readonly number[] {
  const found = SEALED_TABLES.find(({ table }) => table === name);
  if (found === undefined) return [];
  const broken: number[] = [];
  for (const row of connection.sql(found.rows).all()) {
    if (!found.seal(row).equals(bytesOf(row, "seal"))) broken.push(numberOf(row, "place"));
  }
  return broken;
}
