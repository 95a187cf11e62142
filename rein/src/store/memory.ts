import type { Owner, Store } from "../core/session/index.ts";
import { MemoryStore } from "./memory/memory-store.ts";

/** What {@link createMemoryStore} takes. */
export interface MemoryStoreOptions {
  /** The store's clock, milliseconds since 1970. Default: the system's. */
  readonly now?: () => number;
  /** What is known of the process that holds a lease. Default: `unknown`, so that only expiry ends a lease. */
  readonly alive?: (owner: Owner) => "alive" | "dead" | "unknown";
}

/**
 * Makes a store that lives in this process and vanishes with it: the plain implementation of the port, and the quick one
 * for tests, simulation and `durability: "memory"`. Its hash chain is computed when somebody first asks for it, so it
 * proves what happened to the events since then. A closed one can still be read but not written.
 *
 * Publishes `{ store }` on the `node:diagnostics_channel` channels `rein:store:open` and `rein:store:close`.
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): Store {
  return new MemoryStore(options.now ?? Date.now, options.alive ?? (() => "unknown"));
}
