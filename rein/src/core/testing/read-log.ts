import { unwrap } from "../errors.ts";
import { type JsonValue, parseJson } from "../json.ts";
import type { Store } from "../session/index.ts";

/** A record of a log, as a test looks at it. */
export interface LoggedEvent {
  readonly seq: number;
  readonly type: string;
  /** Null where it was erased. */
  readonly data: JsonValue;
}

/** The records of a session; with a type, only those. */
export async function readLog(store: Store, session: string, type?: string): Promise<readonly LoggedEvent[]> {
  const events = unwrap(await store.read(session));
  return events
    .filter((event) => type === undefined || event.type === type)
    .map((event) => ({
      seq: event.seq,
      type: event.type,
      data: event.data === null ? null : unwrap(parseJson(event.data, "An event")),
    }));
}

/** The types of a session's records in their order, from a seq on. */
export async function readTypes(store: Store, session: string, from = 1): Promise<readonly string[]> {
  return unwrap(await store.read(session, { from })).map((event) => event.type);
}
