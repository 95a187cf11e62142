import type { Composition } from "../session/compose.ts";
import type { Commit, InboxEntry, Lease } from "../session/store.ts";
import type { Flight } from "./flight.ts";
import type { Round } from "./round.ts";

/** Events that stand for something about to happen to the world: under `strict` their commit is synced before it does. */
const INTENTS: ReadonlySet<string> = new Set(["model.requested", "tool.started", "process.started"]);

/** What a round commits, as one unit; null when there is nothing. `from` is the newest committed seq. */
export function roundCommit(
  composition: Composition,
  lease: Lease,
  from: number,
  at: number,
  round: Round,
  finished: readonly Flight[],
  commands: readonly InboxEntry[],
): Commit | null {
  const { session, token } = lease;
  const scratch = finished
    .filter((flight) => flight.wroteScratch)
    .map((flight) => ({ session, key: flight.effect.id, value: null }));
  if (round.events.length === 0 && scratch.length === 0) return null;
  const strict = round.state.kernel.settings?.durability === "strict";
  const blobs = round.events.flatMap((event) => event.blobs ?? []).map((blob) => ({ session, ...blob }));
  const events = round.events.map((event) => composition.encode(event, at));
  return {
    tokens: [{ session, token }],
    ...(events.length > 0 && { appends: [{ stream: session, expectedSeq: from, token, events }] }),
    ...(commands.length > 0 && { inbox: { take: commands.map((command) => command.commandId) } }),
    ...(blobs.length > 0 && { blobs }),
    ...(scratch.length > 0 && { scratch }),
    ...(strict && events.some((event) => INTENTS.has(event.type)) && { durability: "barrier" }),
  };
}
