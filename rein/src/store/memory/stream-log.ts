/**
 * One stream in memory: its events, where each append begins, and the hash chain, which is computed when somebody first
 * asks for it, so that an append costs no hashing. A fork holds its parent's log by reference and reads through it.
 */
import { randomBytes } from "node:crypto";
import {
  type EventToStore,
  eventDigest,
  type Finding,
  GENESIS_HASH,
  type Head,
  rowDigest,
  rowHash,
  SALT_BYTES,
  type StoredEvent,
} from "../../core/session/index.ts";

/** A stream, or the part of a fork that is its own. Internal to the memory store. */
export class StreamLog {
  readonly name: string;
  readonly parent: StreamLog | null;
  /** Seq of the newest event that is the parent's; 0 without a parent. */
  readonly base: number;
  /** Own events; the first has seq `base + 1`. */
  readonly events: StoredEvent[] = [];
  /** Index in `events` of the first event of each append. */
  readonly #starts: number[] = [];
  /** Hash of each append whose link of the chain has been computed. */
  readonly #links: string[] = [];
  /** Salts of the same appends, one byte a character: far smaller than a typed array each. */
  readonly #salts: string[] = [];
  /** Digests of erased events, by index. */
  readonly #erased = new Map<number, string>();
  readonly #forks = new Set<StreamLog>();
  readonly #random: (size: number) => Buffer;
  #removed = false;

  constructor(name: string, parent: StreamLog | null, base: number, random: (size: number) => Buffer = randomBytes) {
    this.#random = random;
    this.name = name;
    this.parent = parent;
    this.base = base;
    if (parent !== null) parent.#forks.add(this);
  }

  get seq(): number {
    return this.base + this.events.length;
  }

  append(events: readonly EventToStore[]): void {
    this.#starts.push(this.events.length);
    for (const { type, version, at, data } of events) {
      this.events.push({ seq: this.seq + 1, type, version, at, data });
    }
  }

  /** Events `from` to `to` inclusive, through all parents; both must lie in the stream. */
  read(from: number, to: number): readonly StoredEvent[] {
    const pieces: (readonly StoredEvent[])[] = [];
    let end = to;
    for (let log: StreamLog | null = this; log !== null && end >= from; log = log.parent) {
      if (end > log.base) pieces.push(log.events.slice(Math.max(from - 1 - log.base, 0), end - log.base));
      end = Math.min(end, log.base);
    }
    const [only] = pieces;
    return only !== undefined && pieces.length === 1 ? only : pieces.reverse().flat();
  }

  /** The log that holds an event of this stream. */
  owner(seq: number): StreamLog {
    let log: StreamLog = this;
    while (log.parent !== null && seq <= log.base) log = log.parent;
    return log;
  }

  /** The type of one of its own events. */
  typeOf(seq: number): string {
    return this.events[seq - this.base - 1]?.type ?? "";
  }

  head(): Head {
    return { seq: this.seq, hash: this.hashAt(this.seq) };
  }

  /** The chain's hash of the append that holds an event. */
  hashAt(seq: number): string {
    const log = this.owner(seq);
    log.seal();
    return log.#links[log.#rowOf(seq)] ?? GENESIS_HASH;
  }

  /** Computes the links that nobody has asked for yet. */
  seal(): void {
    for (let row = this.#links.length; row < this.#starts.length; row += 1) {
      this.#salts.push(this.#random(SALT_BYTES * this.#eventsOf(row).length).toString("latin1"));
      this.#links.push(this.#link(row));
    }
  }

  /** Erases the data of one of its own events; false when that had been done before. */
  erase(seq: number): boolean {
    const index = seq - this.base - 1;
    const event = this.events[index];
    if (event === undefined || event.data === null) return false;
    this.seal();
    const row = this.#rowOf(seq);
    const salts = this.#salts[row] ?? "";
    const place = (index - this.#startOf(row)) * SALT_BYTES;
    this.#erased.set(index, eventDigest(this.#saltAt(row, index), event.data));
    this.#salts[row] = salts.slice(0, place) + "\0".repeat(SALT_BYTES) + salts.slice(place + SALT_BYTES);
    this.events[index] = { ...event, data: null };
    return true;
  }

  /** What is wrong with its own appends that lie between two seqs, as far as their links have been computed. */
  check(from: number, to: number): readonly Finding[] {
    const findings: Finding[] = [];
    const known = this.#links.length;
    const last = to >= this.seq ? known - 1 : Math.min(this.#rowOf(to), known - 1);
    for (let row = Math.max(this.#rowOf(from), 0); row <= last; row += 1) {
      const first = this.base + this.#startOf(row) + 1;
      const events = this.#eventsOf(row);
      const whole = events.every((event, index) => event.seq === first + index);
      if (whole && this.#link(row) === this.#links[row]) continue;
      const end = Math.max(this.base + (this.#starts[row + 1] ?? this.events.length), first);
      const message = `Events ${first} to ${end} of ${JSON.stringify(this.name)} are not what was appended.`;
      findings.push({ kind: "damage", message, stream: this.name, from: first, to: end, place: { append: row + 1 } });
    }
    return findings;
  }

  get erased(): number {
    return this.#erased.size;
  }

  /** The stream is removed: keeps only what living forks read through, here and in its parents. */
  remove(): void {
    this.#removed = true;
    for (let log: StreamLog | null = this; log !== null; log = log.parent) {
      if (!log.#removed) return;
      let needed = log.base;
      for (const fork of log.#forks) needed = Math.max(needed, fork.base);
      log.#truncate(needed);
      if (log.#forks.size > 0) return;
      if (log.parent !== null) log.parent.#forks.delete(log);
    }
  }

  /** Drops the appends behind the one that holds `seq`. */
  #truncate(seq: number): void {
    const rows = seq <= this.base ? 0 : this.#rowOf(seq) + 1;
    this.events.length = this.#starts[rows] ?? this.events.length;
    this.#starts.length = Math.min(rows, this.#starts.length);
    this.#links.length = Math.min(rows, this.#links.length);
    this.#salts.length = this.#links.length;
  }

  /** Hash of one append from what stands there now. */
  #link(row: number): string {
    const start = this.#startOf(row);
    const events = this.#eventsOf(row);
    const digests = events.map((event, offset) => this.#digest(row, start + offset, event));
    const before = row > 0 ? this.#links[row - 1] : this.parent?.hashAt(this.base);
    return rowHash(before ?? GENESIS_HASH, this.name, this.base + start + 1, events, rowDigest(digests));
  }

  #digest(row: number, index: number, event: StoredEvent): string {
    if (event.data === null) return this.#erased.get(index) ?? "";
    return eventDigest(this.#saltAt(row, index), event.data);
  }

  #saltAt(row: number, index: number): Uint8Array {
    const place = (index - this.#startOf(row)) * SALT_BYTES;
    return Buffer.from((this.#salts[row] ?? "").slice(place, place + SALT_BYTES), "latin1");
  }

  #startOf(row: number): number {
    return this.#starts[row] ?? this.events.length;
  }

  #eventsOf(row: number): readonly StoredEvent[] {
    return this.events.slice(this.#startOf(row), this.#starts[row + 1]);
  }

  /** The append that holds an event of its own; -1 before the first. */
  #rowOf(seq: number): number {
    const index = seq - this.base - 1;
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#startOf(middle) <= index) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
