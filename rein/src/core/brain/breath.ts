import type { Clock } from "../ports.ts";

/** Milliseconds of work after which timers and other sessions of the process get their turn. */
const LONGEST_BREATH = 25;

/**
 * Says, after work has gone on long enough, what to wait for before it goes on; else undefined. A model and tools that
 * answer at once would otherwise keep the event loop from ever turning.
 */
export function breathing(clock: Pick<Clock, "monotonic" | "breathe">): () => Promise<void> | undefined {
  let since = clock.monotonic();
  return () => {
    if (clock.breathe === undefined || clock.monotonic() - since < LONGEST_BREATH) return undefined;
    return clock.breathe().then(() => {
      since = clock.monotonic();
    });
  };
}
