import type { SQLOutputValue } from "node:sqlite";

/** A row as SQLite hands it out. */
export type Row = Readonly<Record<string, SQLOutputValue>>;

/** A column that holds what no code of Rein ever wrote there: the file has changed underneath. */
export class OddValue extends Error {
  constructor(column: string, value: unknown) {
    super(`The column ${column} holds ${value === null ? "nothing" : `a ${typeof value}`} where it may not.`);
    this.name = "OddValue";
  }
}

/** The number in a column. */
export function numberOf(row: Row, column: string): number {
  const value = row[column];
  if (typeof value === "number") return value;
  throw new OddValue(column, value);
}

/** The text in a column. */
export function textOf(row: Row, column: string): string {
  const value = row[column];
  if (typeof value === "string") return value;
  throw new OddValue(column, value);
}

/** The bytes in a column. */
export function bytesOf(row: Row, column: string): Buffer {
  const value = row[column];
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  throw new OddValue(column, value);
}

/** The bytes in a column read as UTF-8 text. */
export function utf8Of(row: Row, column: string): string {
  return bytesOf(row, column).toString("utf8");
}
