import { hash } from "node:crypto";

const SEAL_BYTES = 8;

/**
 * A short digest over values of a row, kept in the row, to tell later that none of them changed by itself. What is sealed
 * in each table stands in `sealed-tables.ts`; events have their chain instead.
 */
export function sealOf(...values: readonly (string | number | null)[]): Buffer {
  return hash("sha256", JSON.stringify(values), "buffer").subarray(0, SEAL_BYTES);
}
