import type { Result } from "../../core/errors.ts";
import type { Store } from "../../core/session/index.ts";

/** What {@link openSqliteStore} takes. */
export interface SqliteOptions {
  /** Path of the database file on a local disk. Its folder is made (0700) when it is missing. */
  readonly path: string;
  /** Opens what is there and never writes. Default false. */
  readonly readOnly?: boolean;
  /** The store's clock, milliseconds since 1970. Default: the system's. */
  readonly now?: () => number;
  /** How long another process's lock is waited for before `store_busy`, without blocking the event loop. Milliseconds, default 10,000. */
  readonly busyMs?: number;
  /**
   * Opens a database that is behind its head files in the same boot, which is otherwise refused as `store_damaged`: what
   * is left can be read and written, and {@link Store.losses} tells what is missing until it is acknowledged. Default false.
   */
  readonly acceptDamage?: boolean;
}

/**
 * Opens the store in an SQLite file, makes it when there is none, and brings its tables up to date. Several processes may
 * have the same file open.
 *
 * Errors: `path_unusable` (a folder, no permission, no such path), `invalid_option`, `store_unsupported` (a network file
 * system, another program's database), `version_unknown` (a newer Rein's), `store_readonly`, `store_full`, `store_io`,
 * `store_busy`, `store_damaged` with its place. Publishes `{ store }` on the `node:diagnostics_channel` channels
 * `rein:store:open` and `rein:store:close`.
 */
export async function openSqliteStore(options: SqliteOptions): Promise<Result<Store>> {
  // Loaded here, so that importing Rein loads nothing of it.
  const { openStore } = await import("./open.ts");
  return openStore(options);
}
