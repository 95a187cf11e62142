import { expect, it } from "vitest";
import { callDigest } from "./call-digest.ts";

it("is the SHA-256 of the canonical JSON of tool, arguments and folder", () => {
  // printf '{"folder":"/ws","input":{"a":1,"b":[true]},"tool":"shell"}' | sha256sum
  const expected = "a9d866a0938f62f1a0deba2fa1722a03f18fb645033da5e6d2922b106cba6c0a";
  expect(callDigest("shell", { b: [true], a: 1 }, "/ws")).toBe(expected);
  expect(callDigest("shell", { a: 1, b: [true] }, "/ws")).toBe(expected);
});

it("differs when tool, arguments or folder differ", () => {
  const digests = [
    callDigest("a", { x: 1 }, "/ws"),
    callDigest("b", { x: 1 }, "/ws"),
    callDigest("a", { x: "1" }, "/ws"),
    callDigest("a", { x: 1 }, "/ws2"),
  ];
  expect(new Set(digests).size).toBe(4);
});
