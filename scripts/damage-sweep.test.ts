import { expect, it } from "vitest";
import { sweep } from "./damage-sweep.ts";

it("a sample of flips, cuts and deletions of database, WAL and head file is reported with its place or harmless", async () => {
  const found = await sweep(120, 20_261_201);
  expect(found.cases).toBe(120);
  expect(found.silent).toEqual([]);
  expect(found.unplaced).toEqual([]);
  expect(found.misread).toEqual([]);
  // The sample must hold what it is about: harm that is found when the store is opened and when it is verified, and harm to bytes nobody reads.
  const kinds = new Set(Object.keys(found.counts).map((key) => key.slice(key.lastIndexOf(" ") + 1)));
  expect(kinds).toEqual(new Set(["open", "verify", "harmless"]));
  // A file that is gone or empty is never silent: of the database and of a WAL that held something the opening tells, of head files verify.
  for (const what of ["delete", "cut"]) {
    for (const state of ["killed", "open"]) {
      expect(Object.keys(found.counts)).toContain(`${state} store.db ${what}: open`);
      expect(Object.keys(found.counts)).toContain(`${state} store.db-wal ${what}: open`);
    }
    for (const state of ["closed", "killed", "open"]) {
      expect(Object.keys(found.counts)).toContain(`${state} head ${what}: verify`);
    }
    expect(Object.keys(found.counts)).toContain(`closed store.db ${what}: open`);
  }
}, 240_000);
