import { expect, test } from "vitest";
import { textOf } from "./message.ts";

test("each text block begins on a line of its own", () => {
  expect(
    textOf([
      { type: "text", text: "one" },
      { type: "text", text: "two\n" },
      { type: "text", text: "three" },
    ]),
  ).toBe("one\ntwo\nthree");
  expect(
    textOf([
      { type: "text", text: "" },
      { type: "thinking", text: "hm" },
      { type: "text", text: "one" },
    ]),
  ).toBe("one");
});

test("joins a hundred thousand blocks", () => {
  const blocks = Array.from({ length: 100_000 }, () => ({ type: "text", text: "a" }) as const);
  expect(textOf(blocks)).toHaveLength(199_999);
});
