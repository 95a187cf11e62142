import { expect, it } from "vitest";
import { callDigest } from "./call-digest.ts";

const place = { effect: { kind: "write", path: "/ws/a" }, real: "/ws/b" } as const;

it("is the SHA-256 of the canonical JSON of tool, arguments, folder and effects with their real paths", () => {
  // printf '{"effects":[{"kind":"write","path":"/ws/a","real":"/ws/b"}],"folder":"/ws","input":{"a":1,"b":[true]},"tool":"shell"}' | sha256sum
  const expected = "b1c8f79b7e5be08e3e66f271fc8bc3280f1147cb03a9a8386b1c114dae4d1b0e";
  expect(callDigest("shell", { b: [true], a: 1 }, "/ws", [place])).toBe(expected);
  expect(callDigest("shell", { a: 1, b: [true] }, "/ws", [place])).toBe(expected);
});

it("differs when tool, arguments, folder, effects or the place they lead to differ", () => {
  const digests = [
    callDigest("a", { x: 1 }, "/ws", [place]),
    callDigest("b", { x: 1 }, "/ws", [place]),
    callDigest("a", { x: "1" }, "/ws", [place]),
    callDigest("a", { x: 1 }, "/ws2", [place]),
    callDigest("a", { x: 1 }, "/ws", []),
    callDigest("a", { x: 1 }, "/ws", [{ effect: place.effect, real: "/etc/b" }]),
    callDigest("a", { x: 1 }, "/ws", [{ effect: { kind: "read", path: "/ws/a" }, real: "/ws/b" }]),
  ];
  expect(new Set(digests).size).toBe(7);
});
