/** What the tests of the SQLite store share. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Result, unwrap } from "../../core/errors.ts";
import type { Commit, Lease, Store } from "../../core/session/index.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";
import { currentOwner } from "./owner.ts";
import type { SqliteOptions } from "./sqlite-options.ts";

/** A folder for one test file, to be removed at its end. */
export interface TestFolder {
  /** A path in it that no other call gave. */
  readonly path: (name?: string) => string;
  readonly remove: () => void;
}

/** Makes a folder below the system's folder for temporary files. */
export function makeTestFolder(): TestFolder {
  const folder = mkdtempSync(join(tmpdir(), "rein-sqlite-"));
  let count = 0;
  return {
    path: (name = "store.db") => {
      count += 1;
      return join(folder, String(count), name);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Opens a store that must open. */
export async function openGood(path: string, options: Omit<SqliteOptions, "path"> = {}): Promise<Store> {
  return unwrap(await openSqliteStore({ path, ...options }));
}

/** The code and place of a result that must be an error. */
export function errorOf(result: Result<unknown>): {
  readonly code: string;
  readonly place: unknown;
  readonly hint: string;
} {
  if (result.ok) throw new Error(`expected an error, got ${JSON.stringify(result.value)}`);
  const { code, place, hint } = result.error;
  return { code, place, hint };
}

/** Appends texts to a session in one append, taking its lease first where none is given. */
export async function appendTexts(
  store: Store,
  session: string,
  texts: readonly string[],
  more: Commit & { readonly lease?: Lease } = {},
): Promise<Lease> {
  const { lease = unwrap(await store.acquire(session, currentOwner(), 60_000)), ...rest } = more;
  const expectedSeq = unwrap(await store.head(session))?.seq ?? 0;
  const events = texts.map((data) => ({ type: "x.note", version: 1, at: 1_800_000_000_000, data }));
  unwrap(await store.commit({ ...rest, appends: [{ stream: session, expectedSeq, token: lease.token, events }] }));
  return lease;
}

/** The data of all events of a stream. */
export async function textsOf(store: Store, stream: string): Promise<readonly (string | null)[]> {
  return unwrap(await store.read(stream)).map(({ data }) => data);
}
