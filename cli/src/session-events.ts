import { type ReinError, type Result, type SessionEvent, type Store, type StoredEvent, unwrap } from "rein";

/** Events read at a time. */
const PAGE = 256;

/**
 * The events of a session in order, from `from` to the newest. Erased ones have no data. Throws what the store says; but where
 * `onDamage` is given, it is told of each damaged place, and what can be read before and behind it is read.
 */
export async function* sessionEvents(
  store: Store,
  session: string,
  from = 1,
  onDamage?: (error: ReinError) => void,
): AsyncGenerator<SessionEvent> {
  let next = from;
  for (;;) {
    const read = await store.read(session, { from: next, limit: PAGE });
    const damaged = !read.ok && read.error.code === "store_damaged" && onDamage !== undefined;
    if (!damaged) {
      const events = unwrap(read);
      yield* decoded(session, events);
      next += events.length;
      if (events.length < PAGE) return;
      continue;
    }
    for (;;) {
      const one: Result<readonly StoredEvent[]> = await store.read(session, { from: next, limit: 1 });
      if (!one.ok) {
        const to = one.error.place?.to;
        const again = typeof to === "number" && to < next;
        // Behind the last append, the store names that one again; before it, the place behind which nothing is read yet.
        if (again && next > (unwrap(await store.head(session))?.seq ?? 0)) return;
        onDamage(one.error);
        const behind = again ? next + 1 : placeBehind(one.error, next);
        if (behind === null) return;
        next = behind;
        break;
      }
      if (one.value.length === 0) return;
      yield* decoded(session, one.value);
      next += 1;
    }
  }
}

/** The first event behind a damaged place; null where that cannot be told. */
function placeBehind({ code, place }: ReinError, at: number): number | null {
  const to = place?.to;
  return code === "store_damaged" && typeof to === "number" && to >= at ? to + 1 : null;
}

function* decoded(session: string, events: readonly StoredEvent[]): Generator<SessionEvent> {
  for (const { seq, at, type, version, data } of events) {
    yield { session, seq, at, type, version, data: data === null ? undefined : JSON.parse(data) };
  }
}
