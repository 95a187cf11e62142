import { expect, it } from "vitest";
import { createVirtualClock } from "../../testing/virtual-clock.ts";
import { retryWait } from "./retry-wait.ts";

const clock = (random: number) => ({ ...createVirtualClock(), random: () => random });

it.each([
  [0, 0, 1_000],
  [1, 0, 2_000],
  [2, 0, 4_000],
  [5, 0, 32_000],
  [6, 0, 60_000],
  [50, 0, 60_000],
  [0, 0.5, 1_500],
  [50, 0.999, 60_999],
])("after %i failures, with chance %d: %i ms", (failures, random, wait) => {
  expect(retryWait("model_overloaded", failures, clock(random))).toBe(wait);
});

it("waits a minute where a rate limit names no time", () => {
  expect(retryWait("model_rate_limited", 0, clock(0.9))).toBe(60_000);
});
