import { type Stats, statSync } from "node:fs";
import type { ReinError } from "../../core/errors.ts";
import { damage } from "./faults.ts";

/** How often it is looked at most, milliseconds. */
const LOOK_EVERY = 500;

/**
 * Whether the database is still where it was opened. One that is deleted or replaced while it is open can be written to all the same,
 * and whatever is written then is lost with the last process that has it open.
 */
export class FilePresence {
  readonly #file: string;
  readonly #opened: Stats | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(file: string) {
    this.#file = file;
    this.#opened = statSync(file, { throwIfNoEntry: false });
  }

  /** The fault of a file that is there no more, looked at once in a while; null otherwise. */
  fault(now: number): ReinError | null {
    if (this.#opened === undefined || Math.abs(now - this.#lookedAt) < LOOK_EVERY) return null;
    const found = statSync(this.#file, { throwIfNoEntry: false });
    if (found?.ino === this.#opened.ino && found.dev === this.#opened.dev) {
      this.#lookedAt = now;
      return null;
    }
    const what = found === undefined ? "is gone" : "has been replaced by another file";
    return damage(
      this.#file,
      `The database ${this.#file} ${what} while it is in use, so nothing more is written to it.`,
    );
  }
}
