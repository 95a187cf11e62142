import type { Invariant } from "../recording.ts";

/** No call changes the world twice, whoever ran it and however often it was recovered. */
export const atMostOnce: Invariant = {
  name: "at-most-once",
  check({ effects }) {
    const seen = new Map<string, string[]>();
    for (const { session, call, readOnly, life } of effects) {
      if (readOnly) continue;
      const place = `${session} ${call}`;
      seen.set(place, [...(seen.get(place) ?? []), life]);
    }
    return [...seen]
      .filter(([, lives]) => lives.length > 1)
      .map(([place, lives]) => `${place} took effect ${lives.length} times, by ${lives.join(" and ")}.`);
  },
};
