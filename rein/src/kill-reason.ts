import type { DriveEnd } from "./core/brain/index.ts";
import { ok, type Result } from "./core/errors.ts";
import { parseJson } from "./core/json.ts";
import type { Clock } from "./core/ports.ts";
import type { Store, StoredEvent } from "./core/session/index.ts";

/** Events read at a time, from the newest back. */
const PAGE = 64;
/** Whoever takes a session by force says why in the commit after it has the lease: how often, and how many milliseconds apart, that is looked for. */
const LOOKS = 40;
const BETWEEN = 50;

/** Why the session of a drive was killed; null when it was not. */
export async function killReason(
  store: Store,
  clock: Clock,
  { reason, state }: DriveEnd,
): Promise<Result<string | null>> {
  const { session, seq } = state.kernel;
  if (reason === "killed") return lastKill(store, session, 0);
  if (reason !== "lost") return ok(null);
  for (let look = 0; look < LOOKS; look += 1) {
    const news = await store.read(session, { from: seq + 1, limit: 1 });
    // A store that went away took the session with it: that is how it was lost.
    if (!news.ok) return ok(null);
    if (news.value.length > 0) return lastKill(store, session, seq);
    await clock.sleep(BETWEEN);
  }
  return ok(null);
}

/** The reason of the newest kill behind event `after`. */
async function lastKill(store: Store, session: string, after: number): Promise<Result<string | null>> {
  const head = await store.head(session);
  if (!head.ok) return head;
  for (let to = head.value?.seq ?? 0; to > after; to -= PAGE) {
    const events = await store.read(session, { from: Math.max(after + 1, to - PAGE + 1), to });
    if (!events.ok) return events;
    const kill = events.value.findLast(({ type }) => type === "run.killed");
    if (kill !== undefined) return ok(reasonIn(kill));
  }
  return ok(null);
}

function reasonIn({ data }: StoredEvent): string {
  const parsed = data === null ? null : parseJson(data, "The event run.killed");
  const value = parsed?.ok === true ? parsed.value : null;
  if (typeof value !== "object" || value === null || !("reason" in value)) return "";
  return String(value.reason);
}
