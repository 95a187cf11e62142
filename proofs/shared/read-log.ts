import { type Store, type StoredEvent, unwrap } from "rein";
import { openSqliteStore } from "rein/store";

/** A log as it stands, and its event data parsed. */
export interface ReadLog {
  readonly stored: readonly StoredEvent[];
  readonly events: readonly LoggedEvent[];
}

/** An event with its data as the kernel wrote it. */
export interface LoggedEvent {
  readonly seq: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Reads a session of a store that nobody changes by being read. Empty when there is no such session. */
export async function readLog(path: string, session: string): Promise<ReadLog> {
  const store = unwrap(await openSqliteStore({ path, readOnly: true }));
  try {
    return await logOf(store, session);
  } finally {
    unwrap(await store.close());
  }
}

/** The same for a store that is open. */
export async function logOf(store: Store, session: string): Promise<ReadLog> {
  const head = unwrap(await store.head(session));
  const stored = head === null || head.seq === 0 ? [] : unwrap(await store.read(session));
  const events = stored.map(({ seq, type, data }): LoggedEvent => ({ seq, type, data: JSON.parse(data ?? "{}") }));
  return { stored, events };
}
