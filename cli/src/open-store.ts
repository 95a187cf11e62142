import { fail, type Store, unwrap } from "rein";
import { isStoreAt } from "rein/store";
import type { CommandContext } from "./command-context.ts";
import { EXIT } from "./exit-code.ts";
import { findingLine } from "./finding-line.ts";

/** The path of a store that is there; else `session_unknown`, so that a slip in a path makes no empty store. */
export function existingStorePath(context: CommandContext): string {
  const path = context.storePath();
  if (unwrap(isStoreAt(path))) return path;
  const hint = "Give an agent its first task with `rein run`, or check --store and REIN_HOME.";
  return unwrap(fail("session_unknown", `There is no store at ${path}, so there is no session.`, hint));
}

/** Opens the store, which must be there, for writing, and closes it again after the work. */
export function withStore<T>(context: CommandContext, work: (store: Store) => Promise<T>): Promise<T> {
  return withOpen(context, { readOnly: false }, work);
}

/** The same for reading only, which changes not even a table. A damaged store is opened too, to see what is left, and its damage is found by `work`. */
export function withWhatIsLeft<T>(context: CommandContext, work: (store: Store) => Promise<T>): Promise<T> {
  return withOpen(context, { readOnly: true, acceptDamage: true }, work);
}

/** The same, where the damage that is known at once is said here, and the exit code tells of it. */
export function withReadableStore<T>(context: CommandContext, work: (store: Store) => Promise<T>): Promise<T> {
  return withWhatIsLeft(context, async (store) => {
    const losses = await store.losses();
    if (losses.ok) for (const loss of losses.value) context.output.note(`rein: ${findingLine(loss)}`);
    const isDamaged = !losses.ok || losses.value.some(({ kind }) => kind === "damage");
    try {
      return await work(store);
    } finally {
      if (isDamaged) context.exit(EXIT.failed);
    }
  });
}

async function withOpen<T>(
  context: CommandContext,
  use: { readonly readOnly: boolean; readonly acceptDamage?: boolean },
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
