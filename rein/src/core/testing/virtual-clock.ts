import type { Clock } from "../ports.ts";
import { createRandom } from "./random.ts";

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

interface Sleeper {
  readonly due: number;
  readonly order: number;
  readonly wake: () => void;
}

/** Makes a virtual clock. `seed` gives ids and random numbers. */
export function createVirtualClock(options: { readonly start?: number; readonly seed?: number } = {}): VirtualClock {
  const random = createRandom(options.seed ?? 1);
  let wall = options.start ?? Date.UTC(2026, 0, 1);
  let passed = 0;
  let order = 0;
  let sleepers: Sleeper[] = [];

  const moveTo = async (due: number): Promise<void> => {
    wall += due - passed;
    passed = due;
    const awake = sleepers.filter((sleeper) => sleeper.due <= passed).sort((a, b) => a.due - b.due || a.order - b.order);
    sleepers = sleepers.filter((sleeper) => sleeper.due > passed);
    for (const sleeper of awake) sleeper.wake();
    await settle();
  };

  return {
    now: () => wall,
    monotonic: () => passed,
    random,
    id: () => Array.from({ length: 4 }, () => Math.floor(random() * 2 ** 32).toString(16).padStart(8, "0")).join(""),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve();
        order += 1;
        const sleeper: Sleeper = { due: passed + Math.max(0, ms), order, wake: resolve };
        sleepers.push(sleeper);
        signal?.addEventListener(
          "abort",
          () => {
            sleepers = sleepers.filter((other) => other !== sleeper);
            resolve();
          },
          { once: true },
        );
      }),
    async advance(ms) {
      const end = passed + ms;
      for (;;) {
        const next = sleepers.reduce((least, sleeper) => Math.min(least, sleeper.due), Number.POSITIVE_INFINITY);
        if (next > end) break;
        await moveTo(next);
      }
      await moveTo(end);
    },
    async advanceToNext() {
      const next = sleepers.reduce((least, sleeper) => Math.min(least, sleeper.due), Number.POSITIVE_INFINITY);
      if (next === Number.POSITIVE_INFINITY) return false;
      await moveTo(next);
      return true;
    },
    step: (ms) => {
      wall += ms;
    },
    get sleepers() {
      return sleepers.length;
    },
  };
}

/** Lets everything run that can run without time passing. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}
