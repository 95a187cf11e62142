import fc from "fast-check";
import { expect, it } from "vitest";
import { Vector } from "./vector.ts";

it("is a value: what came before does not change", () => {
  const one = Vector.of(["a"]);
  const two = one.push("b");
  expect([one.toJSON(), two.toJSON()]).toEqual([["a"], ["a", "b"]]);
});

it("keeps two lists that grow out of the same one apart", () => {
  const root = Vector.of(["a"]);
  const left = root.push("l").push("l2");
  const right = root.push("r");
  expect([root.toJSON(), left.toJSON(), right.toJSON()]).toEqual([["a"], ["a", "l", "l2"], ["a", "r"]]);
});

it("does not share the list it was made from", () => {
  const items = ["a"];
  const vector = Vector.of(items);
  items.push("b");
  expect(vector.length).toBe(1);
});

it("counts from the end with a negative place, and knows nothing beyond its ends", () => {
  const vector = Vector.of([1, 2]).push(3);
  expect([vector.at(0), vector.at(-1), vector.at(3), vector.at(-4)]).toEqual([1, 3, undefined, undefined]);
  const before = Vector.of([1]);
  before.push(2);
  expect(before.at(1)).toBeUndefined();
});

it("behaves as a plain array does, whatever is pushed onto whichever value", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1_000)), (choices) => {
      const vectors = [Vector.of<number>()];
      const arrays: number[][] = [[]];
      for (const [item, choice] of choices.entries()) {
        const at = choice % vectors.length;
        const vector = vectors[at];
        const array = arrays[at];
        if (vector === undefined || array === undefined) continue;
        vectors.push(vector.push(item));
        arrays.push([...array, item]);
      }
      expect(vectors.map((vector) => vector.toJSON())).toEqual(arrays);
      expect(vectors.map((vector) => [...vector])).toEqual(arrays);
      expect(vectors.map((vector) => vector.slice(1))).toEqual(arrays.map((array) => array.slice(1)));
      expect(vectors.map((vector) => vector.length)).toEqual(arrays.map((array) => array.length));
    }),
  );
});
