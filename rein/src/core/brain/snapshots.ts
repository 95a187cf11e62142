import type { Composition } from "../session/compose.ts";
import { saveSnapshotWhenWorth } from "../session/open-session.ts";
import type { State } from "../session/part.ts";
import type { Store } from "../session/store.ts";

/** Counts what no snapshot of a session holds, and saves one when it is worth it. */
export class Snapshots {
  readonly #store: Store;
  readonly #composition: Composition;
  #unsaved: number;

  constructor(store: Store, composition: Composition, unsaved = 0) {
    this.#store = store;
    this.#composition = composition;
    this.#unsaved = unsaved;
  }

  /** The log has grown by so many events. */
  grew(events: number): void {
    this.#unsaved += events;
  }

  /** At rest. A snapshot only spares time: what keeps a store from taking it is met again by what comes next. */
  async saveWhenWorth(state: State): Promise<void> {
    const saved = await saveSnapshotWhenWorth(this.#store, this.#composition, state, this.#unsaved);
    if (saved.ok && saved.value) this.#unsaved = 0;
  }
}
