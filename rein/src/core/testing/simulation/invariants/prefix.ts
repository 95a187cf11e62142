import { isKernelEvent } from "../../../session/index.ts";
import type { Invariant, Recording, RequestNote, SessionRecord } from "../recording.ts";

/** Request n+1 of a session extends request n: same system, same tools, messages only appended. No part here compacts. */
export const prefix: Invariant = {
  name: "prefix",
  check: (recording) => recording.sessions.flatMap((record) => faultsOf(recording, record)),
};

function faultsOf({ requests }: Recording, record: SessionRecord): readonly string[] {
  const faults: string[] = [];
  // In the order of their intents: a brain that stood still may ask late what nobody waits for any more.
  const places = intentPlaces(record);
  const own = requests
    .filter(({ session }) => session === record.session)
    .toSorted((a, b) => (places.get(placeOf(a)) ?? 0) - (places.get(placeOf(b)) ?? 0));
  for (const [index, note] of own.entries()) {
    const before = own[index - 1];
    if (before !== undefined && !extend(before, note))
      faults.push(`${record.session}: request ${placeOf(note)} does not extend ${placeOf(before)}.`);
  }
  return faults;
}

function intentPlaces({ events }: SessionRecord): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const event of events) {
    if (isKernelEvent(event) && event.type === "model.requested")
      places.set(`${event.data.turn}.${event.data.attempt}`, event.seq);
  }
  return places;
}

function placeOf({ request }: RequestNote): string {
  return `${request.trace.turn}.${request.trace.attempt}`;
}

function extend({ request: before }: RequestNote, { request: after }: RequestNote): boolean {
  if (before.system !== after.system || JSON.stringify(before.tools) !== JSON.stringify(after.tools)) return false;
  if (before.messages.length > after.messages.length) return false;
  return before.messages.every((message, index) => {
    const other = after.messages[index];
    return message === other || JSON.stringify(message) === JSON.stringify(other);
  });
}
