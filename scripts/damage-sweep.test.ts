import { expect, it } from "vitest";
import { sweep } from "./damage-sweep.ts";

it("a sample of flips and cuts over database and WAL is reported with its place or harmless", async () => {
  const found = await sweep(120, 20_261_201);
  expect(found.cases).toBe(120);
  expect(found.silent).toEqual([]);
  expect(found.unplaced).toEqual([]);
  expect(found.misread).toEqual([]);
  // The sample must hold what it is about: harm that is found when the store is opened and when it is verified, and harm to bytes nobody reads.
  const kinds = new Set(Object.keys(found.counts).map((key) => key.slice(key.lastIndexOf(" ") + 1)));
  expect(kinds).toEqual(new Set(["open", "verify", "harmless"]));
}, 240_000);
