import { createRandom } from "./random.ts";

/** Chance from a seed, in the forms a test needs. */
export interface Dice {
  /** From 0 (inclusive) to 1 (exclusive). */
  random(): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** A whole number, both ends inclusive. */
  int(from: number, to: number): number;
  pick<T>(list: readonly T[]): T;
  /** Picks by weight. */
  weigh<T>(list: readonly (readonly [weight: number, value: T])[]): T;
}

/** Makes dice; the same seed falls the same way. */
export function createDice(seed: number): Dice {
  return diceOf(createRandom(seed));
}

/** Dice over a source of random numbers. */
export function diceOf(random: () => number): Dice {
  const int = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1));
  return {
    random,
    chance: (probability) => random() < probability,
    int,
    pick(list) {
      const picked = list[int(0, list.length - 1)];
      if (picked === undefined) throw new Error("There is nothing to pick from.");
      return picked;
    },
    weigh(list) {
      let left = random() * list.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, value] of list) {
        left -= weight;
        if (left < 0) return value;
      }
      const last = list.at(-1);
      if (last === undefined) throw new Error("There is nothing to pick from.");
      return last[1];
    },
  };
}
