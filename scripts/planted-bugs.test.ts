import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { invariants } from "../rein/src/core/testing/index.ts";
import { PLANTED_BUGS } from "./planted-bugs.data.ts";

it("has one bug for each invariant", () => {
  expect(PLANTED_BUGS.map(({ invariant }) => invariant).sort()).toEqual(invariants.map(({ name }) => name).sort());
});

it("finds the place of each bug exactly once", () => {
  const places = PLANTED_BUGS.map(({ bug, file, search }) => [
    bug,
    readFileSync(`rein/src/${file}`, "utf8").split(search).length - 1,
  ]);
  expect(places).toEqual(PLANTED_BUGS.map(({ bug }) => [bug, 1]));
});
