import type { StreamPart } from "../session/stream.ts";
import type { DriveEnd, Driver } from "./driver.ts";
import type { PartQueue } from "./part-queue.ts";

/** A driver about to run, and what it must do when it is over. */
export interface PreparedDrive {
  readonly driver: Driver;
  readonly run: () => Promise<DriveEnd>;
}

/**
 * The async generator that `run` gives: it yields parts, and at its end returns how the drive ended. It starts with the first `next`.
 * Leaving it early (`break`, `return`) interrupts the run and waits until the session is given back.
 */
export class DriveStream implements AsyncGenerator<StreamPart, DriveEnd> {
  readonly #queue: PartQueue;
  readonly #prepare: () => Promise<PreparedDrive>;
  #drive: Promise<PreparedDrive> | null = null;
  #end: Promise<DriveEnd> | null = null;

  constructor(queue: PartQueue, prepare: () => Promise<PreparedDrive>) {
    this.#queue = queue;
    this.#prepare = prepare;
  }

  next(): Promise<IteratorResult<StreamPart, DriveEnd>> {
    if (this.#end === null) this.#start();
    const part = this.#queue.next();
    if (part === null) return this.#finish();
    if (part instanceof Promise) return part.then((value) => (value === null ? this.#finish() : { value, done: false }));
    return Promise.resolve({ value: part, done: false });
  }

  async return(): Promise<IteratorResult<StreamPart, DriveEnd>> {
    if (this.#drive === null) this.#start();
    this.#queue.close();
    const { driver } = await this.#started();
    driver.leave();
    return this.#finish();
  }

  async throw(thrown: unknown): Promise<IteratorResult<StreamPart, DriveEnd>> {
    await this.return();
    throw thrown;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  /** Reads the rest without looking at it and gives the end. */
  async finish(): Promise<DriveEnd> {
    for (;;) {
      const next = await this.next();
      if (next.done === true) return next.value;
    }
  }

  #start(): void {
    this.#drive = this.#prepare();
    this.#end = this.#drive.then(({ run }) => run()).finally(() => this.#queue.close());
    // Whoever reads the end sees a failure; until then it is not unhandled.
    this.#end.catch(() => undefined);
  }

  #started(): Promise<PreparedDrive> {
    if (this.#drive === null) this.#start();
    return this.#drive ?? this.#prepare();
  }

  async #finish(): Promise<IteratorResult<StreamPart, DriveEnd>> {
    if (this.#end === null) this.#start();
    const value = await this.#end;
    if (value === null) throw new Error("A drive ended without an end.");
    return { value, done: true };
  }
}
