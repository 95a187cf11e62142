import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import { simulate } from "./simulate.ts";

const run = (seed: number, trace = false) => simulate({ seed, createStore: createMemoryStore, trace });

it("gives the same logs, counts and story for the same seed, and others for another", async () => {
  const [one, again, other] = [await run(11, true), await run(11, true), await run(12, true)];
  expect(again).toEqual(one);
  expect(one.story.length).toBeGreaterThan(10);
  expect(other.hash).not.toBe(one.hash);
});

it("does the same whether the story is kept or not", async () => {
  const [quiet, told] = [await run(13), await run(13, true)];
  expect({ ...told, story: [] }).toEqual(quiet);
});

it("holds all invariants in a few worlds", async () => {
  const violations = [];
  for (let seed = 1; seed <= 15; seed += 1)
    violations.push(...(await run(seed)).violations.map((violation) => ({ seed, ...violation })));
  expect(violations).toEqual([]);
});
