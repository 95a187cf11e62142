import { expect, it } from "vitest";
import { packedMap } from "./packed-map.ts";

it("gives a new list of what each becomes, in order", () => {
  const list = [1, 2, 3] as const;
  expect(packedMap(list, (item) => `${item}!`)).toEqual(["1!", "2!", "3!"]);
  expect(list).toEqual([1, 2, 3]);
});

it("gives an empty list of its own for an empty one", () => {
  const list: readonly number[] = [];
  const mapped = packedMap(list, (item) => item);
  expect(mapped).toEqual([]);
  expect(mapped).not.toBe(list);
});
