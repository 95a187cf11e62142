import type { Result } from "../errors.ts";
import { ok } from "../errors.ts";
import type { Composition } from "../session/compose.ts";
import type { SessionEvent } from "../session/event.ts";
import type { Store } from "../session/store.ts";

/** Events read ahead when one is not in memory. */
const READ_AHEAD = 256;

/** Data of the few events that effects still need; all others are read back from the store. A hint: it may be emptied at any time. */
export class EventCache {
  readonly #store: Store;
  readonly #composition: Composition;
  readonly #session: string;
  readonly #data = new Map<number, unknown>();

  constructor(store: Store, composition: Composition, session: string) {
    this.#store = store;
    this.#composition = composition;
    this.#session = session;
  }

  /** Remembers an event that was just committed. */
  keep(event: SessionEvent): void {
    this.#data.set(event.seq, event.data);
  }

  /** Data of an event still in memory. */
  recent(seq: number): unknown {
    return this.#data.get(seq);
  }

  /** Data of an event, from memory or the store; `undefined` inside when it was erased. */
  async load(seq: number): Promise<Result<unknown>> {
    if (this.#data.has(seq)) return ok(this.#data.get(seq));
    const read = await this.#store.read(this.#session, { from: seq, limit: READ_AHEAD });
    if (!read.ok) return read;
    for (const stored of read.value) {
      if (this.#data.has(stored.seq)) continue;
      const event = this.#composition.decode(this.#session, stored);
      if (!event.ok) return event;
      this.keep(event.value);
    }
    return ok(this.#data.get(seq));
  }

  /** Lets go of everything before a seq. */
  forgetBelow(seq: number): void {
    for (const kept of this.#data.keys()) if (kept < seq) this.#data.delete(kept);
  }
}
