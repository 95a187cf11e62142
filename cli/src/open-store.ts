import { existsSync } from "node:fs";
import { fail, type Store, unwrap } from "rein";
import type { CommandContext } from "./command-context.ts";

/** How a command uses the store. */
interface StoreUse {
  /** Reads only, and changes not even a table. */
  readonly readOnly: boolean;
  /** Opens a damaged store too, to see what is left. */
  readonly acceptDamage?: boolean;
}

/** The path of a store that is there; else `session_unknown`, so that a slip in a path makes no empty store. */
export function existingStorePath(context: CommandContext): string {
  const path = context.storePath();
  if (existsSync(path)) return path;
  const hint = "Give an agent its first task with `rein run`, or check --store and REIN_HOME.";
  return unwrap(fail("session_unknown", `There is no store at ${path}, so there is no session.`, hint));
}

/** Opens the store, which must be there, for some work and closes it again. */
export async function withStore<T>(
  context: CommandContext,
  use: StoreUse,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const path = existingStorePath(context);
  const { openSqliteStore } = await import("rein/store");
  const store = unwrap(await openSqliteStore({ path, ...use }));
  try {
    return await work(store);
  } finally {
    unwrap(await store.close());
  }
}
