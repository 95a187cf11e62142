import fc from "fast-check";
import { expect, it } from "vitest";
import { elementTexts } from "./json-slices.ts";

it.each([
  ['{"a":[]}', []],
  ['{"a":[ ]}', []],
  ['{"a":[1]}', ["1"]],
  [' {\n"a" : [ 1.0 , "x" ,\ttrue,null] } ', ["1.0", '"x"', "true", "null"]],
  ['{"b":[9],"a":[{"c":"]}"},["[\\"]"]]}', ['{"c":"]}"}', '["[\\"]"]']],
  ['{"a":["\\\\","\\\\\\""]}', ['"\\\\"', '"\\\\\\""']],
  ['{"b":"a","c":{"a":[1]},"a":[2]}', ["2"]],
  ['{"b":-1.5e+3}', []],
  ["{}", []],
])("finds the elements in %s", (text, elements) => {
  expect(elementTexts(text, "a")).toEqual(elements);
});

it("gives texts that, joined, are the array", () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue()),
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.constantFrom(0, 1, "\t"),
      (list, rest, indent) => {
        const text = JSON.stringify({ ...rest, list }, null, indent);
        expect(elementTexts(text, "list").map((element) => JSON.parse(element))).toEqual(
          JSON.parse(JSON.stringify(list)),
        );
        for (const element of elementTexts(text, "list")) expect(text).toContain(element);
      },
    ),
  );
});
