import type { StreamPart } from "../session/stream.ts";

/** Parts kept for a caller that has not read them (R2.4). Source: `event buffer per consumer`, docs/architecture.md. */
const PART_BUFFER = 100;

type Reader = (part: StreamPart | null) => void;

/**
 * The bounded buffer between the brain and the caller of `run`. `push` gives a promise while the buffer is full, so a producer that
 * awaits it goes no faster than its reader; nothing is dropped. `post` never waits: for the few parts that follow a commit.
 */
export class PartQueue {
  #bound: number;
  #parts: StreamPart[] = [];
  #start = 0;
  #closed = false;
  /** Who waits for the next part. Nearly always there is one, and a list that is filled and emptied costs more than the part. */
  #reader: Reader | null = null;
  /** Who waits behind it. */
  readonly #readers: Reader[] = [];
  #writers: (() => void)[] = [];

  constructor(bound = PART_BUFFER) {
    this.#bound = bound;
  }

  get size(): number {
    return this.#parts.length - this.#start;
  }

  /** Adds a part without waiting. */
  post(part: StreamPart): void {
    if (this.#closed) return;
    const reader = this.#reader;
    if (reader === null) {
      this.#parts.push(part);
      return;
    }
    this.#reader = this.#readers.length === 0 ? null : (this.#readers.shift() ?? null);
    reader(part);
  }

  /** Adds a part; a promise when the producer must wait for the reader. */
  push(part: StreamPart): Promise<void> | undefined {
    this.post(part);
    return this.#parts.length - this.#start < this.#bound ? undefined : this.room();
  }

  /** A promise of room; undefined when there is some. */
  room(): Promise<void> | undefined {
    if (this.#closed || this.size < this.#bound) return undefined;
    return new Promise((resolve) => this.#writers.push(resolve));
  }

  /** The next part, or null when the queue is closed and empty. */
  next(): StreamPart | Promise<StreamPart | null> | null {
    return this.take() ?? (this.#closed ? null : new Promise((resolve) => this.wait(resolve)));
  }

  /** No more parts come; some may still be there. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Hands the next part that comes to a reader, null when none does any more; only while none is there. */
  wait(reader: Reader): void {
    if (this.#reader === null) this.#reader = reader;
    else this.#readers.push(reader);
  }

  /** The next part, or null when none is there. */
  take(): StreamPart | null {
    const part = this.#parts[this.#start];
    if (part === undefined) return null;
    this.#start += 1;
    // What was read is let go also while a slow reader never empties the queue; in pieces, so that a part costs little.
    if (this.#start === this.#parts.length || this.#start >= this.#bound) {
      this.#parts.splice(0, this.#start);
      this.#start = 0;
    }
    if (this.#writers.length > 0 && this.size < this.#bound) this.#release();
    return part;
  }

  /** Nobody waits for the reader any more: it has left, and what still comes is little. */
  unbind(): void {
    this.#bound = Number.POSITIVE_INFINITY;
    this.#release();
  }

  /** No more parts come; what is there can still be read. Producers that wait are let go. */
  close(): void {
    this.#closed = true;
    this.#release();
    const reader = this.#reader;
    this.#reader = null;
    reader?.(null);
    for (const other of this.#readers.splice(0)) other(null);
  }

  #release(): void {
    for (const writer of this.#writers.splice(0)) writer();
  }
}
