import type { Result } from "../errors.ts";
import { ok } from "../errors.ts";
import type { Composition } from "../session/compose.ts";
import type { SessionEvent } from "../session/event.ts";
import type { Store } from "../session/store.ts";

/** Events read ahead when one is not in memory, and how long they may be together: a long history is read once, never held. */
const READ_AHEAD = 64;
const READ_AHEAD_LENGTH = 2 ** 20;

/** Data of the few events that effects still need; all others are read back from the store. A hint: it may be emptied at any time. */
export class EventCache {
  readonly #store: Store;
  readonly #composition: Composition;
  readonly #session: string;
  /** Data of the newest events, without a gap. An array, because a map that is filled and emptied all the time keeps young garbage alive. */
  #newest: unknown[] = [];
  #firstSeq = 1;
  /** Data of older events that were read back last. */
  readonly #older = new Map<number, unknown>();

  constructor(store: Store, composition: Composition, session: string) {
    this.#store = store;
    this.#composition = composition;
    this.#session = session;
  }

  /** Remembers an event that was just committed. */
  keep({ seq, data }: SessionEvent): void {
    if (seq !== this.#firstSeq + this.#newest.length) {
      this.#newest = [];
      this.#firstSeq = seq;
    }
    this.#newest.push(data);
  }

  /** Data of an event still in memory. */
  recent(seq: number): unknown {
    return this.#isNew(seq) ? this.#newest[seq - this.#firstSeq] : this.#older.get(seq);
  }

  /** Data of an event, from memory or the store; `undefined` inside when it was erased. */
  async load(seq: number): Promise<Result<unknown>> {
    if (this.#has(seq)) return ok(this.recent(seq));
    const read = await this.#store.read(this.#session, { from: seq, limit: READ_AHEAD });
    if (!read.ok) return read;
    this.#older.clear();
    let length = 0;
    for (const stored of read.value) {
      length += stored.data?.length ?? 0;
      if (length > READ_AHEAD_LENGTH && stored.seq > seq) break;
      const event = this.#composition.decode(this.#session, stored);
      if (!event.ok) return event;
      this.#older.set(stored.seq, event.value.data);
    }
    return ok(this.#older.get(seq));
  }

  /** Lets go of everything before a seq. */
  forgetBelow(seq: number): void {
    if (this.#older.size > 0) this.#older.clear();
    const gone = Math.min(seq - this.#firstSeq, this.#newest.length);
    if (gone <= 0) return;
    this.#newest = this.#newest.slice(gone);
    this.#firstSeq += gone;
  }

  #has(seq: number): boolean {
    return this.#isNew(seq) || this.#older.has(seq);
  }

  #isNew(seq: number): boolean {
    return seq >= this.#firstSeq && seq < this.#firstSeq + this.#newest.length;
  }
}
