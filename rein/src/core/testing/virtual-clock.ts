import type { Clock } from "../ports.ts";
import { createRandom } from "./random.ts";
import { settle, Timeline } from "./timeline.ts";

/** A clock that moves only when told to. */
export interface VirtualClock extends Clock {
  /** Moves both clocks on and wakes the sleepers that are due, in their order. */
  advance(ms: number): Promise<void>;
  /** Moves to the next sleeper; false when nobody sleeps. */
  advanceToNext(): Promise<boolean>;
  /** Steps the wall clock alone, as a correction of the time does. */
  step(ms: number): void;
  readonly sleepers: number;
}

/**
 * Makes a virtual clock. `seed` gives ids and random numbers, `start` is its wall clock at the beginning (milliseconds since
 * 1970; default 2026-01-01). Clocks with the same `timeline` move together; each has a wall clock of its own.
 */
export function createVirtualClock(
  options: { readonly start?: number; readonly seed?: number; readonly timeline?: Timeline } = {},
): VirtualClock {
  const random = createRandom(options.seed ?? 1);
  const timeline = options.timeline ?? new Timeline();
  let offset = (options.start ?? Date.UTC(2026, 0, 1)) - timeline.passed;

  return {
    now: () => offset + timeline.passed,
    monotonic: () => timeline.passed,
    random,
    id: () =>
      Array.from({ length: 4 }, () =>
        Math.floor(random() * 2 ** 32)
          .toString(16)
          .padStart(8, "0"),
      ).join(""),
    sleep: (ms, signal) => timeline.sleep(ms, signal),
    advance: (ms) => timeline.advance(ms),
    advanceToNext: () => timeline.advanceToNext(),
    step: (ms) => {
      offset += ms;
    },
    get sleepers() {
      return timeline.sleepers;
    },
  };
}

export { settle };
