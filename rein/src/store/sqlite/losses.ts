import type { Finding } from "../../core/session/index.ts";
import type { Connection } from "./connection.ts";
import { type HeadNote, type HeadNotes, hasHeadFile } from "./head-notes.ts";
import { hasHeadFiles, readMeta } from "./schema.ts";
import { sealOf } from "./seal.ts";
import { bytesOf, numberOf, textOf } from "./values.ts";
import { type Change, newestRow } from "./writer.ts";

/** Changes of the file that are missing or are not the ones a head file tells of. */
export interface Loss {
  /** `notice`: nothing is missing but what would tell it. */
  readonly kind: Finding["kind"];
  readonly message: string;
  readonly from: number;
  readonly to: number;
}

/** Compares the database with the head files beside it; null when it is as new as it ever was. To be called within a read or write. */
export function findLoss(connection: Connection, notes: HeadNotes, bootId: string): Loss | null {
  const settled = settledRow(connection);
  const open = notes.all.filter((note) => note.row > settled);
  const newest = newestRow(connection);
  const greatest = open.reduce<HeadNote | null>(
    (best, note) => (best === null || note.row > best.row ? note : best),
    null,
  );
  if (greatest !== null && greatest.row > newest) {
    const kind = greatest.bootId === bootId ? "damage" : "loss";
    return { kind, from: newest + 1, to: greatest.row, message: messageOf(kind, newest + 1, greatest.row) };
  }
  const other = open.find((note) => isOther(connection, note));
  if (other === undefined) return null;
  const message = `Change ${other.appendRow} is not the one that was committed: the database was replaced or rewritten.`;
  return { kind: "damage", from: other.appendRow, to: newest, message };
}

/**
 * Says so when the head files are gone that the database tells of; null when they are there, or there never were any. The file of a
 * process is made before its first commit, so a crash leaves none of them out. To be called within a read or write.
 */
export function headsMissing(connection: Connection, folder: string): Loss | null {
  const newest = newestRow(connection);
  if (newest <= settledRow(connection) || hasHeadFile(folder)) return null;
  const meta = readMeta(connection);
  if (!meta.ok || meta.value === null || !hasHeadFiles(meta.value)) return null;
  return { kind: "notice", from: newest, to: newest, message: messageOf("notice", newest, newest) };
}

/** Whether a loss has been noted already. To be called within a read or write. */
export function isNoted(connection: Connection, { to }: Loss): boolean {
  return to <= settledRow(connection);
}

/** The same for a database without any table: all that head files tell of is missing. */
export function lossOfAll({ greatest }: HeadNotes, bootId: string): Loss | null {
  if (greatest === null) return null;
  const kind = greatest.bootId === bootId ? "damage" : "loss";
  return { kind, from: 1, to: greatest.row, message: messageOf(kind, 1, greatest.row) };
}

/** Notes a loss that a person or the session has to be told of; the numbers of what was lost are not used again. */
export function noteLoss(connection: Connection, { kind, from, to }: Loss, change: Change): void {
  connection
    .sql("INSERT INTO loss (kind, first_row, last_row, found_at, acknowledged, seal) VALUES (?, ?, ?, ?, 0, ?)")
    .run(kind, from, to, Math.round(connection.now()), sealOf(kind, from, to));
  change.skipTo(to);
}

/** The losses that nobody has acknowledged yet. */
export function openLosses(connection: Connection): readonly Finding[] {
  return connection
    .sql("SELECT id, kind, first_row, last_row, found_at FROM loss WHERE acknowledged = 0 ORDER BY id")
    .all()
    .map((row) => {
      const kind = kindOf(textOf(row, "kind"));
      const from = numberOf(row, "first_row");
      const to = numberOf(row, "last_row");
      const found = findingOfLoss(connection.file, { kind, from, to, message: messageOf(kind, from, to) });
      return { ...found, place: { ...found.place, foundAt: numberOf(row, "found_at") } };
    });
}

/** A loss as it is told. */
export function findingOfLoss(file: string, { kind, message, from, to }: Loss): Finding {
  return { kind, message, place: { file, fromRow: from, toRow: to } };
}

function kindOf(text: string): Loss["kind"] {
  return text === "loss" || text === "notice" ? text : "damage";
}

/** Marks all losses as told. */
export function acknowledgeLosses(connection: Connection): void {
  connection.sql("UPDATE loss SET acknowledged = 1 WHERE acknowledged = 0").run();
}

function messageOf(kind: Loss["kind"], from: number, to: number): string {
  if (kind === "notice") {
    return `The head files of the store were missing when it was at change ${to}: whether it had newer changes before cannot be told. If it was copied or restored without them, that is why.`;
  }
  const what = from === to ? `Change ${from} is` : `Changes ${from} to ${to} are`;
  return kind === "loss"
    ? `${what} missing: the machine went down before they reached the disk.`
    : `${what} missing or not what was committed, though the machine was not down since: the files were damaged.`;
}

/** Numbers up to here were told of before. */
function settledRow(connection: Connection): number {
  const row = connection.sql("SELECT ifnull(max(last_row), 0) AS row FROM loss").get();
  return row === undefined ? 0 : numberOf(row, "row");
}

function isOther(connection: Connection, { appendRow, hash }: HeadNote): boolean {
  const row = connection
    .sql("SELECT e.hash FROM payload p JOIN envelope e ON e.stream = p.stream AND e.first = p.first WHERE p.row = ?")
    .get(appendRow);
  // An append that is not there was removed with its session; one that went by itself is found by the checks of the chain.
  return row !== undefined && bytesOf(row, "hash").toString("hex") !== hash;
}
