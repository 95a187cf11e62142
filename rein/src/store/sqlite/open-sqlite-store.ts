import type { Result } from "../../core/errors.ts";
import type { Store } from "../../core/session/index.ts";
import type { SqliteOptions } from "./sqlite-options.ts";

/**
 * Opens the store in an SQLite file, makes it when there is none, and brings its tables up to date. Several processes may
 * have the same file open. What is refused is left as it was, with its mode, and nothing is made for it.
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
