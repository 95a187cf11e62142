import { type SessionEvent, type Store, unwrap } from "rein";

/** Events read at a time. */
const PAGE = 256;

/** The events of a session in order, from `from` to the newest. Erased ones have no data. Throws what the store says. */
export async function* sessionEvents(store: Store, session: string, from = 1): AsyncGenerator<SessionEvent> {
  for (let next = from; ; ) {
    const events = unwrap(await store.read(session, { from: next, limit: PAGE }));
    for (const { seq, at, type, version, data } of events) {
      yield { session, seq, at, type, version, data: data === null ? undefined : JSON.parse(data) };
    }
    next += events.length;
    if (events.length < PAGE) return;
  }
}
