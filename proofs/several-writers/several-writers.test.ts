import { expect, test } from "vitest";
import { play } from "./play.ts";
import { faultsOf, figuresOf } from "./what-must-hold.ts";

/** A small play; `npm run several-writers` plays 3 × 200 commands and 20 forks. */
test.each([
  { commands: 40, forks: 5, kill: "frozen", seed: 1 },
  { commands: 15, forks: 2, kill: "running", seed: 2 },
] as const)(
  "each of 3 × $commands commands becomes one event, $forks forks go on, a kill ends it ($kill)",
  {
    timeout: 120_000,
  },
  async (scene) => {
    const played = await play(scene);
    expect(faultsOf(played)).toEqual([]);
    const figures = figuresOf(played);
    expect(figures.commands).toBeGreaterThan(3 * scene.commands);
    expect(figures.forks).toBe(scene.forks);
    // Late, second and wrong answers came, and so did good ones: else nothing is proven.
    expect(figures.refused).toBeGreaterThan(scene.commands / 4);
    expect(figures.answers).toBeGreaterThan(3);
    expect(figures.effects).toBeGreaterThan(1);
  },
);
