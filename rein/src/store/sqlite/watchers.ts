import type { StoreChange } from "../../core/session/index.ts";
import { tellEach } from "../tell-each.ts";
import type { Connection } from "./connection.ts";
import { numberOf } from "./values.ts";

/** How often other processes' changes are looked for while somebody watches. Milliseconds. */
const POLL_MS = 40;

type Listener = (change: StoreChange) => void;

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

  /** Tells of changes of this process. */
  tell(changes: readonly StoreChange[]): void {
    for (const change of changes) this.#tellAll(change);
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
      this.#tellAll({ kind: "elsewhere", stream: null });
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

  /** One task for all listeners: with one for each, what a commit costs would grow with the sessions that run. */
  #tellAll(change: StoreChange): void {
    if (this.#listeners.size > 0) queueMicrotask(() => tellEach(this.#listeners, change));
  }
}
