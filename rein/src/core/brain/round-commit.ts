import type { Composition } from "../session/compose.ts";
import type { Commit, EventToStore, InboxEntry, Lease } from "../session/store.ts";
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
  const scratch: { session: string; key: string; value: null }[] = [];
  for (const { effect, wroteScratch } of finished) {
    if (wroteScratch) scratch.push({ session, key: effect.id, value: null });
  }
  if (round.events.length === 0 && scratch.length === 0) return null;
  const strict = round.state.kernel.settings?.durability === "strict";
  const blobs: { session: string; hash: string; bytes: Uint8Array }[] = [];
  const events: EventToStore[] = [];
  for (const event of round.events) {
    events.push(composition.encode(event, at));
    for (const { hash, bytes } of event.blobs ?? []) blobs.push({ session, hash, bytes });
  }
  const barrier = strict && events.some((event) => INTENTS.has(event.type));
  if (events.length > 0 && commands.length + blobs.length + scratch.length === 0 && !barrier) {
    return { tokens: [{ session, token }], appends: [{ stream: session, expectedSeq: from, token, events }] };
  }
  return {
    tokens: [{ session, token }],
    ...(events.length > 0 && { appends: [{ stream: session, expectedSeq: from, token, events }] }),
    ...(commands.length > 0 && { inbox: { take: commands.map((command) => command.commandId) } }),
    ...(blobs.length > 0 && { blobs }),
    ...(scratch.length > 0 && { scratch }),
    ...(barrier && { durability: "barrier" }),
  };
}
