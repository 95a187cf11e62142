import { expect, it } from "vitest";
import type { ThinkingBlock } from "../message/index.ts";
import { wellFormedBlock, wellFormedObject, wellFormedText } from "./well-formed.ts";

it("shows a lone surrogate as U+FFFD and leaves pairs and NUL as they are", () => {
  expect(wellFormedText("a\ud800b")).toBe("a\ufffdb");
  expect(wellFormedText("\udc00")).toBe("\ufffd");
  expect(wellFormedText("a\u{1f600}\u0000")).toBe("a\u{1f600}\u0000");
});

it("looks into arguments, keys too", () => {
  expect(wellFormedObject({ "k\ud800": ["v\ud800", { n: 1, deep: { x: "\udfff" } }, null, true] })).toEqual({
    "k\ufffd": ["v\ufffd", { n: 1, deep: { x: "\ufffd" } }, null, true],
  });
});

it("gives a value that is well-formed back as it is", () => {
  const input = { path: "a", list: ["b", { c: 1 }], none: null };
  expect(wellFormedObject(input)).toBe(input);
  const block = { type: "text", text: "a" } as const;
  expect(wellFormedBlock(block)).toBe(block);
});

it("keeps a key like __proto__ a member", () => {
  const input = JSON.parse('{"__proto__":"\\ud800"}');
  expect(Object.entries(wellFormedObject(input))).toEqual([["__proto__", "\ufffd"]]);
});

it("does not touch what is signed", () => {
  const signed: ThinkingBlock = { type: "thinking", text: "\ud800", signature: "s" };
  expect(wellFormedBlock(signed)).toBe(signed);
  expect(wellFormedBlock<ThinkingBlock>({ type: "thinking", text: "\ud800" })).toEqual({
    type: "thinking",
    text: "\ufffd",
  });
});
