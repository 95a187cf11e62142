import type { Connection } from "./connection.ts";
import { numberOf } from "./values.ts";

/** How often other processes' changes are looked for while somebody watches. Milliseconds. */
const POLL_MS = 40;

/** A change that a listener hears of; `stream` null where another process made it, and so which is not known. */
export interface Change {
  readonly stream: string | null;
}

type Listener = (change: Change) => void;

/** Who wants to hear of changes. Other processes' are seen by SQLite's `data_version`, which moves with every commit but one's own. */
export class Watchers {
  readonly #connection: Connection;
  readonly #listeners = new Set<Listener>();
  #timer: NodeJS.Timeout | null = null;
  #version = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  add(listener: Listener): () => void {
    // A listener added twice is two listeners.
    const entry: Listener = (change) => listener(change);
    this.#listeners.add(entry);
    if (this.#timer === null) this.#start();
    return () => {
      this.#listeners.delete(entry);
      if (this.#listeners.size === 0) this.close();
    };
  }

  /** Tells of a change of this process. */
  tell(streams: Iterable<string>): void {
    if (this.#listeners.size === 0) return;
    for (const stream of streams) this.#tellAll({ stream });
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #start(): void {
    this.#version = this.#dataVersion();
    this.#timer = setInterval(() => {
      const version = this.#dataVersion();
      if (version === this.#version) return;
      this.#version = version;
      this.#tellAll({ stream: null });
    }, POLL_MS);
    this.#timer.unref();
  }

  /** The version; a new one each time where it cannot be read, so that listeners look themselves and meet the error as a value. */
  #dataVersion(): number {
    try {
      const row = this.#connection.sql("PRAGMA data_version").get();
      return row === undefined ? 0 : numberOf(row, "data_version");
    } catch {
      return this.#version - 1;
    }
  }

  #tellAll(change: Change): void {
    // In a microtask of its own: what a listener throws is its own, never the end of a commit that has happened.
    for (const listener of this.#listeners) queueMicrotask(() => listener(change));
  }
}
