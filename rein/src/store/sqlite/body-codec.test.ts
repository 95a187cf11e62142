import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventDigest, SALT_BYTES } from "../../core/session/index.ts";
import { decodeBody, encodeBody, eraseFromBody } from "./body-codec.ts";
import { Salts } from "./salts.ts";

const salts = new Salts();
const texts = fc.array(fc.string({ unit: "grapheme", maxLength: 200 }), { minLength: 1, maxLength: 20 });

describe("a body", () => {
  it("gives its texts back, with the digests of the chain", () => {
    fc.assert(
      fc.property(texts, (data) => {
        const { body, digests } = encodeBody(
          data.map((text) => ({ data: text })),
          salts,
        );
        const parts = decodeBody(body, data.length) ?? [];
        expect(parts.map((part) => part.data)).toEqual(data);
        expect(parts.map((part) => part.digest)).toEqual(digests);
        expect(parts.map((part) => eventDigest(part.kept.subarray(0, SALT_BYTES), part.data ?? ""))).toEqual(digests);
      }),
    );
  });

  it("keeps the digest of what is erased and nothing of its bytes", () => {
    fc.assert(
      fc.property(texts, fc.nat(19), (data, chosen) => {
        const index = chosen % data.length;
        const { body, digests } = encodeBody(
          data.map((text) => ({ data: text })),
          salts,
        );
        const parts = decodeBody(body, data.length) ?? [];
        const erased = eraseFromBody(parts, new Set([index]));
        const left = decodeBody(erased, data.length) ?? [];
        expect(left.map((part) => part.digest)).toEqual(digests);
        expect(left.map((part) => part.data)).toEqual(data.map((text, place) => (place === index ? null : text)));
        expect(erased.includes(parts[index]?.kept ?? "")).toBe(false);
        expect(eraseFromBody(left, new Set([index])).equals(erased)).toBe(true);
      }),
    );
  });

  it("is refused when it is too short, too long or of another number of events", () => {
    const { body } = encodeBody([{ data: "one" }, { data: "two" }], salts);
    expect(decodeBody(body, 1)).toBeNull();
    expect(decodeBody(body, 3)).toBeNull();
    expect(decodeBody(body.subarray(0, -1), 2)).toBeNull();
    expect(decodeBody(Buffer.concat([body, Buffer.of(0)]), 2)).toBeNull();
    expect(decodeBody(Buffer.of(3, 1, 2), 1)).toBeNull();
  });

  it("never uses a salt twice", () => {
    const { body } = encodeBody(
      Array.from({ length: 3_000 }, () => ({ data: "" })),
      salts,
    );
    const parts = decodeBody(body, 3_000) ?? [];
    expect(new Set(parts.map((part) => part.kept.toString("hex"))).size).toBe(3_000);
  });
});
