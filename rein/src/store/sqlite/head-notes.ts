/**
 * Head files: what tells that the database is as new as it ever was. SQLite's WAL is silent about loss: cut or deleted, it
 * opens without an error and with fewer rows. So each writing process notes after every commit, in a small file of its own
 * beside the database, the number of the newest change and the hash of the newest append. Nothing is synced: after a crash
 * of the process the page cache still holds it, after a loss of power an older note only tells less.
 *
 * A file has two slots written in turn, so that a torn write spoils one and leaves the other. A slot is one line of ASCII:
 * `rein-head 1 <boot id> <row> <append row> <hash> <crc-32 of all before it>`, filled up with blanks.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";

/** A note of how far the database was. */
export interface HeadNote {
  readonly bootId: string;
  /** Number of the newest change. */
  readonly row: number;
  /** Number and chain hash of the newest append its process knew of; 0 and zeros where it knew none. */
  readonly appendRow: number;
  readonly hash: string;
}

/** All notes beside a database. */
export interface HeadNotes {
  /** The greatest; null when there is none. */
  readonly greatest: HeadNote | null;
  readonly all: readonly HeadNote[];
  /** Names of files with a slot that cannot be read. */
  readonly broken: readonly string[];
  /** How many files there are. */
  readonly files: number;
}

const MARK = "rein-head 1 ";
/** Bytes of a slot; a file has two. */
export const SLOT_BYTES = 256;
/** How the name of a head file ends. */
export const HEAD_SUFFIX = ".head";
/** A reader may meet a slot while it is being written. */
const READS = 5;

/** Reads every head file in a folder; a folder that is not there holds none. */
export function readHeadNotes(folder: string): HeadNotes {
  for (let read = 1; ; read += 1) {
    const files = headFilesIn(folder).map((name) => ({ name, slots: readSlots(join(folder, name)) }));
    // A file that went away since it was listed was taken over under another name: look again, it may be the greatest.
    if (read < READS && files.some(({ slots }) => slots === null)) continue;
    const all = files.flatMap(({ slots }) => slots ?? []).filter((slot) => slot !== "empty" && slot !== "broken");
    const greatest = all.reduce<HeadNote | null>(
      (best, note) => (best === null || note.row > best.row ? note : best),
      null,
    );
    const broken = files.filter(({ slots }) => slots?.includes("broken")).map(({ name }) => name);
    return { greatest, all, broken, files: files.length };
  }
}

/** Whether notes prove that the database held something: one that can be read, or one that could be once. */
export function tellOfChanges({ greatest, broken }: HeadNotes): boolean {
  return greatest !== null || broken.length > 0;
}

/** Names of the head files in a folder; a folder that is not there holds none. */
export function headFilesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(HEAD_SUFFIX));
  } catch (cause) {
    if (isMissing(cause)) return [];
    throw cause;
  }
}

/** Whether a folder holds a head file that is not empty, as each is before its first note. */
export function hasHeadFile(folder: string): boolean {
  const size = (name: string): number => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
  return headFilesIn(folder).some((name) => size(name) > 0);
}

/** What a slot holds. */
export type Slot = HeadNote | "empty" | "broken";

/** The two slots of a file; null when the file went away meanwhile. */
export function readSlots(path: string): readonly [Slot, Slot] | null {
  for (let read = 1; ; read += 1) {
    let bytes: Buffer;
    try {
      bytes = readFileSync(path);
    } catch (cause) {
      if (isMissing(cause)) return null;
      throw cause;
    }
    const slots: [Slot, Slot] = [
      parseSlot(bytes.subarray(0, SLOT_BYTES)),
      // A file has its full size before its first note, so one that ends behind a slot was cut.
      bytes.length === SLOT_BYTES ? "broken" : parseSlot(bytes.subarray(SLOT_BYTES, 2 * SLOT_BYTES)),
    ];
    if (!slots.includes("broken") || read === READS) return slots;
  }
}

/** The bytes of a slot; the line is ASCII. */
export function slotOf(note: HeadNote, target: Buffer): void {
  const line = `${MARK}${note.bootId} ${note.row} ${note.appendRow} ${note.hash} `;
  const length = target.write(line + crc32(line).toString(16), 0, "latin1");
  target.fill(" ", length);
}

function parseSlot(bytes: Buffer): Slot {
  // A file whose data never reached the disk before the power went has no bytes or zeros.
  if (bytes.every((byte) => byte === 0)) return "empty";
  const line = bytes.toString("latin1").trimEnd();
  const cut = line.lastIndexOf(" ");
  const [bootId, row, appendRow, hash, ...rest] = line.slice(MARK.length, cut).split(" ");
  const sound =
    line.startsWith(MARK) &&
    bytes.length === SLOT_BYTES &&
    crc32(line.slice(0, cut + 1)) === Number.parseInt(line.slice(cut + 1), 16);
  if (
    !sound ||
    bootId === undefined ||
    row === undefined ||
    appendRow === undefined ||
    hash === undefined ||
    rest.length > 0
  )
    return "broken";
  return { bootId, row: Number(row), appendRow: Number(appendRow), hash };
}

/** Whether the system says that there is no such file. */
export function isMissing(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT";
}
