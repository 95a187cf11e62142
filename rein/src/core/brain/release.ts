import { ok, type Result } from "../errors.ts";
import type { Lease, Store } from "../session/store.ts";

/** Gives a session back at rest. False when a command came in between: then the holder goes on. */
export async function release(store: Store, { session, token }: Lease): Promise<Result<boolean>> {
  const released = await store.commit({ release: [{ session, token }] });
  if (released.ok) return ok(true);
  if (released.error.code !== "conflict") return released;
  const due = await store.dueWakes(session);
  if (!due.ok) return due;
  if (due.value.length === 0) return ok(false);
  // A due wake has done what it is for: the session was looked at.
  const wake = due.value.map((name) => ({ session, name, at: null }));
  const cleared = await store.commit({ tokens: [{ session, token }], wake });
  return cleared.ok ? ok(false) : cleared;
}
