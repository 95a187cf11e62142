import { randomFillSync } from "node:crypto";
import { SALT_BYTES } from "../../core/session/index.ts";

const POOL_BYTES = 256 * SALT_BYTES;

/** Random salts out of a pool: one call to the system for many. */
export class Salts {
  readonly #pool = Buffer.allocUnsafeSlow(POOL_BYTES);
  #next = POOL_BYTES;

  /** Writes a fresh salt into `target` at `offset`; each byte of the pool is used once. */
  writeTo(target: Buffer, offset: number): void {
    if (this.#next === POOL_BYTES) {
      randomFillSync(this.#pool);
      this.#next = 0;
    }
    this.#pool.copy(target, offset, this.#next, this.#next + SALT_BYTES);
    this.#next += SALT_BYTES;
  }
}
