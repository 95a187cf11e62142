import { randomBytes } from "node:crypto";

/** A random id: 48 bits as 12 hex digits, short enough to type. */
export function randomId(): string {
  return randomBytes(8).toString("hex");
}

/** A number from 0 (inclusive) to 1 (exclusive). */
export function randomNumber(): number {
  return Math.random();
}
