import { hash } from "node:crypto";
import { unwrap } from "../../errors.ts";
import type { Composition, SessionEvent, State, StoredEvent } from "../../session/index.ts";
import type { Recording, SessionRecord } from "./recording.ts";
import type { World } from "./world.ts";

/** Reads what the world has come to, for the invariants. Throws when the store cannot give it. */
export async function readRecording(
  world: World,
  composition: Composition,
  unfinished: string | null,
): Promise<Recording> {
  const infos = unwrap(await world.store.sessions());
  const sessions: SessionRecord[] = [];
  for (const { session, forkedFrom, inboxCount } of infos) {
    const stored = unwrap(await world.store.read(session));
    const { events, states, final } = fold(composition, session, stored);
    sessions.push({
      session,
      parent: forkedFrom?.session ?? null,
      base: forkedFrom?.seq ?? 0,
      stored,
      events,
      states,
      final,
      waiting: inboxCount,
    });
  }
  sessions.sort((a, b) => (a.session < b.session ? -1 : 1));
  const verification = unwrap(await world.store.verify());
  const inOrder = <T extends { readonly order: number }>(notes: readonly T[]): readonly T[] =>
    notes.toSorted((a, b) => a.order - b.order);
  return {
    seed: world.seed,
    composition,
    sessions,
    verification,
    unfinished,
    commits: inOrder(world.commits),
    leases: inOrder(world.leases),
    effects: inOrder(world.effects),
    requests: inOrder(world.requests),
    commands: inOrder(world.commands),
    ends: inOrder(world.ends),
    survivors: inOrder(world.survivors),
  };
}

function fold(composition: Composition, session: string, stored: readonly StoredEvent[]) {
  let state = composition.initial(session);
  const states: State[] = [state];
  const events: SessionEvent[] = [];
  for (const entry of stored) {
    const event = unwrap(composition.decode(session, entry));
    state = composition.reduce(state, event);
    events.push(event);
    states.push(state);
  }
  return { events, states, final: state };
}

/** SHA-256 over all logs: two simulations are the same when theirs are. Chain hashes are left out: the store salts them. */
export function hashOfLogs({ sessions }: Recording): string {
  const lines = sessions.flatMap(({ session, stored }) =>
    stored.map(({ seq, type, version, at, data }) => {
      const plain = type === "session.forked" ? data?.replace(/"hash":"[0-9a-f]*"/, "") : data;
      return JSON.stringify([session, seq, type, version, at, plain]);
    }),
  );
  return hash("sha256", lines.join("\n"), "hex");
}
