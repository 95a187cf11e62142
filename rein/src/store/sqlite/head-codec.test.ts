import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CodedHead, decodeHeads, encodeHeads } from "./head-codec.ts";

const integer = fc.oneof(
  fc.maxSafeInteger(),
  fc.integer(),
  fc.nat(300),
  fc.constantFrom(2 ** 50, -(2 ** 50), 2 ** 50 - 1),
);
const head: fc.Arbitrary<CodedHead> = fc.record({ kind: fc.nat(), version: integer, at: integer });

describe("heads", () => {
  it("come back as they were, whatever safe integers they hold", () => {
    fc.assert(
      fc.property(fc.array(head, { minLength: 1, maxLength: 40 }), (heads) => {
        expect(decodeHeads(encodeHeads(heads))).toEqual(heads);
      }),
    );
  });

  it("take a byte or two for what is usual", () => {
    const heads = [0, 1, 2, 3].map((n) => ({ kind: 12, version: 1, at: 1_800_000_000_000 + n * 40 }));
    expect(encodeHeads(heads).toString("hex")).toBe(`010c0280c0e285e368${"0c0250".repeat(3)}`);
  });

  it("take the long form where there are thousands", () => {
    const heads = Array.from({ length: 5_000 }, (_, n) => ({ kind: n, version: n, at: 7 - n }));
    const bytes = encodeHeads(heads);
    expect(bytes[0]).toBe(2);
    expect(decodeHeads(bytes)).toEqual(heads);
  });

  it("are refused when the bytes are no heads", () => {
    for (const hex of [
      "",
      "00",
      "0180",
      "010c",
      "010c02",
      "02",
      "027b7d",
      "025b5b315d5d",
      "0303",
      "01ffffffffffffffffff7f",
    ]) {
      expect(decodeHeads(Buffer.from(hex, "hex")), hex).toBeNull();
    }
  });

  it("never make another error out of random bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const heads = decodeHeads(bytes);
        for (const { kind, version, at } of heads ?? []) {
          expect([typeof kind, typeof version, typeof at]).toEqual(["number", "number", "number"]);
        }
      }),
    );
  });
});
