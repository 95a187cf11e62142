import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isDeeperThan, type JsonValue, parseJson, textOfDeepJson } from "./json.ts";

const nested = (levels: number): JsonValue => {
  let value: JsonValue = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? { a: value } : [value];
  return value;
};

describe("depth", () => {
  test("counts objects and lists, not what they hold", () => {
    expect(isDeeperThan("x", 0)).toBe(false);
    expect(isDeeperThan({}, 0)).toBe(true);
    expect(isDeeperThan({ a: 1 }, 1)).toBe(false);
    expect(isDeeperThan({ a: [] }, 1)).toBe(true);
    expect(isDeeperThan(nested(64), 64)).toBe(false);
    expect(isDeeperThan(nested(65), 64)).toBe(true);
    expect(isDeeperThan(nested(200_000), 64)).toBe(true);
  });
});

describe("text of deep JSON", () => {
  test("is what JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value: JsonValue = JSON.parse(text);
        expect(textOfDeepJson(value)).toBe(JSON.stringify(value));
      }),
    );
    expect(textOfDeepJson({ b: [1, { "": null }, []], a: "x\ud800" })).toBe('{"b":[1,{"":null},[]],"a":"x\\ud800"}');
  });

  test("has no depth that is too much", () => {
    const text = textOfDeepJson(nested(200_000));
    expect(text).toHaveLength(100_000 * 2 + 100_000 * 6 + 1);
    expect(parseJson(text, "It").ok).toBe(true);
  });
});
