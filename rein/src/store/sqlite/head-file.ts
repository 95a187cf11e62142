import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { GENESIS_HASH, type Owner } from "../../core/session/index.ts";
import { HEAD_SUFFIX, headFilesIn, isMissing, readSlots, SLOT_BYTES, type Slot, slotOf } from "./head-notes.ts";
import { livenessOf } from "./owner.ts";

/** Names of the head files of stores that are open in this process, and how many there ever were. */
const own = { open: new Set<string>(), count: 0 };

/**
 * The head file of one open store of this process. It is made at the first commit, by taking over the file of a dead
 * process where there is one: a renamed file keeps its notes until greater ones replace them, so none is ever lost and
 * there are never more files than there were writers at one time.
 */
export class HeadFile {
  readonly #folder: string;
  readonly #owner: Owner;
  readonly #slot = Buffer.alloc(SLOT_BYTES, " ");
  #fd: number | null = null;
  #name = "";
  #writeSecond = false;
  #appendRow = 0;
  #hash = GENESIS_HASH;
  /** A note that could not be written. */
  #missed: { readonly row: number } | null = null;

  constructor(folder: string, owner: Owner) {
    this.#folder = folder;
    this.#owner = owner;
  }

  /** Makes sure that a note can be written, before anything is committed; throws what the system throws. */
  prepare(): void {
    if (this.#fd === null) this.#open();
    if (this.#missed !== null) this.#write(this.#missed.row);
  }

  /** Notes a commit: the number of its newest change and, if it appended, number and hash of its newest append. */
  note(row: number, append: { readonly row: number; readonly hash: string } | null): void {
    if (append !== null) {
      this.#appendRow = append.row;
      this.#hash = append.hash;
    }
    try {
      this.#write(row);
    } catch {
      // The commit stands, so this is not its fault: `prepare` refuses the next one until a note can be written again.
      this.#missed = { row };
    }
  }

  close(): void {
    if (this.#fd === null) return;
    closeSync(this.#fd);
    this.#fd = null;
    own.open.delete(this.#name);
  }

  #write(row: number): void {
    if (this.#fd === null) return;
    slotOf({ bootId: this.#owner.bootId, row, appendRow: this.#appendRow, hash: this.#hash }, this.#slot);
    writeSync(this.#fd, this.#slot, 0, SLOT_BYTES, this.#writeSecond ? SLOT_BYTES : 0);
    this.#writeSecond = !this.#writeSecond;
    this.#missed = null;
  }

  #open(): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    own.count += 1;
    const name = [...stemOf(this.#owner), own.count].join(".") + HEAD_SUFFIX;
    const path = join(this.#folder, name);
    this.#adopt(path);
    this.#fd = openSync(path, "a+", 0o600);
    closeSync(this.#fd);
    this.#fd = openSync(path, "r+");
    this.#name = name;
    own.open.add(name);
    const [first, second] = readSlots(path) ?? ["empty", "empty"];
    // Full size from the start: a note never needs room on a disk that is full.
    if (first === "empty" && second === "empty")
      writeSync(this.#fd, Buffer.alloc(2 * SLOT_BYTES), 0, 2 * SLOT_BYTES, 0);
    this.#writeSecond = rowOf(second) < rowOf(first);
  }

  #adopt(path: string): void {
    const dead = headFilesIn(this.#folder)
      .filter((name) => isDead(name, this.#owner))
      .map((name) => ({ path: join(this.#folder, name), row: newestRow(join(this.#folder, name)) }))
      .sort((a, b) => b.row - a.row);
    const [greatest, ...lesser] = dead;
    if (greatest === undefined) return;
    if (lesser.length > 0) unlessMissing(() => syncFile(greatest.path));
    for (const file of lesser) unlessMissing(() => unlinkSync(file.path));
    unlessMissing(() => renameSync(greatest.path, path));
  }
}

/** Who wrote a head file stands in its name, so that a rename hands it over in one step. */
function stemOf({ bootId, pidNamespace, pid, startTime }: Owner): readonly string[] {
  return [bootId, pidNamespace, String(pid), startTime].map((part) => part.replace(/[^A-Za-z0-9-]/g, ""));
}

function isDead(name: string, me: Owner): boolean {
  const [bootId = "", pidNamespace = "", pid = "", startTime = ""] = name.split(".");
  const [myBoot = "", myNamespace = "", myPid = "", myStart = ""] = stemOf(me);
  if (bootId === myBoot && pidNamespace === myNamespace && pid === myPid && startTime === myStart)
    return !own.open.has(name);
  // Only Linux names a boot so that two processes of one boot surely agree.
  if (bootId !== myBoot && process.platform === "linux") return true;
  const owner: Owner = { host: me.host, bootId, pidNamespace, pid: Number(pid), startTime };
  return livenessOf(owner, { ...me, bootId: myBoot, pidNamespace: myNamespace }) === "dead";
}

function newestRow(path: string): number {
  const slots = readSlots(path);
  return slots === null ? -1 : Math.max(...slots.map(rowOf));
}

function rowOf(slot: Slot): number {
  return slot === "empty" || slot === "broken" ? -1 : slot.row;
}

function syncFile(path: string): void {
  const fd = openSync(path, "r+");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Another process may take over the same dead files at the same moment. */
function unlessMissing(step: () => void): void {
  try {
    step();
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
  }
}
