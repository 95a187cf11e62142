/** What `openSqliteStore` takes. */
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
   * is left can be read and written, and `losses` tells what is missing until it is acknowledged. With `readOnly` also one
   * whose file was cut, as far as its pages are there. Without it also one that is gone or empty, which is begun anew. Default false.
   */
  readonly acceptDamage?: boolean;
}
