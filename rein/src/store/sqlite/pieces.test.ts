import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pieceLengths } from "./pieces.ts";

describe("the pieces of a body", () => {
  it("are the body, none empty, and only the first larger than a third of a page", () => {
    fc.assert(
      fc.property(fc.nat(200_000), (bytes) => {
        const pieces = pieceLengths(bytes);
        expect(pieces.reduce((sum, length) => sum + length, 0)).toBe(bytes);
        expect(pieces.length).toBeLessThanOrEqual(10);
        if (bytes > 0) expect(Math.min(...pieces)).toBeGreaterThan(0);
        expect(Math.max(...pieces.slice(1), 0)).toBeLessThanOrEqual(500);
      }),
    );
  });

  it("are cut so that pages are full", () => {
    expect(pieceLengths(0)).toEqual([0]);
    expect(pieceLengths(1_340)).toEqual([1_340]);
    expect(pieceLengths(1_341)).toEqual([447, 447, 447]);
    expect(pieceLengths(2_400)).toEqual([480, 480, 480, 480, 480]);
    expect(pieceLengths(4_571)).toEqual([4_571]);
    // Seven eighths of a page of its own are full enough, but a row that would still fit into a leaf does not run over.
    expect(pieceLengths(4_060)).toEqual([4_060]);
    expect(pieceLengths(4_059)).toHaveLength(9);
    expect(pieceLengths(5_000)).toEqual([4_571, 429]);
    expect(pieceLengths(10_000)).toEqual([8_663, 445, 446, 446]);
  });
});
