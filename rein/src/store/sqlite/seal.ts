import { hash } from "node:crypto";
import { bytesOf, OddValue, type Row } from "./values.ts";

const SEAL_BYTES = 8;

/**
 * A short digest over values of a row, kept in the row, to tell later that none of them changed by itself. What is sealed
 * in each table stands in `sealed-tables.ts`; events have their chain instead.
 */
export function sealOf(...values: readonly (string | number | null)[]): Buffer {
  return hash("sha256", JSON.stringify(values), "buffer").subarray(0, SEAL_BYTES);
}

/** Checks the seal of a row that was read; throws where it does not fit, which becomes `store_damaged`. */
export function checkSeal(row: Row, table: string, ...values: readonly (string | number | null)[]): void {
  if (!sealOf(...values).equals(bytesOf(row, "seal"))) throw new OddValue(`seal of the table ${table}`, "other bytes");
}
