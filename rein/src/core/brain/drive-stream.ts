import type { StreamPart } from "../session/stream.ts";
import type { PartQueue } from "./part-queue.ts";

/** A driver about to run, and what it must do when it is over. */
export interface PreparedDrive<End> {
  /** Called when the caller leaves early. */
  readonly leave: () => void;
  readonly run: () => Promise<End>;
}

/**
 * The async generator that `run` gives: it yields parts, and at its end returns how the drive ended. It starts with the first `next`.
 * Leaving it early (`break`, `return`) interrupts the run and waits until the session is given back.
 */
export class DriveStream<End> implements AsyncGenerator<StreamPart, End> {
  readonly #queue: PartQueue;
  readonly #prepare: () => Promise<PreparedDrive<End>>;
  #drive: Promise<PreparedDrive<End>> | null = null;
  #end: Promise<End> | null = null;

  constructor(queue: PartQueue, prepare: () => Promise<PreparedDrive<End>>) {
    this.#queue = queue;
    this.#prepare = prepare;
  }

  next(): Promise<IteratorResult<StreamPart, End>> {
    if (this.#end === null) this.#start();
    const part = this.#queue.next();
    if (part === null) return this.#finish();
    if (part instanceof Promise)
      return part.then((value) => (value === null ? this.#finish() : { value, done: false }));
    return Promise.resolve({ value: part, done: false });
  }

  async return(): Promise<IteratorResult<StreamPart, End>> {
    if (this.#drive === null) this.#start();
    this.#queue.close();
    const { leave } = await this.#started();
    leave();
    return this.#finish();
  }

  async throw(thrown: unknown): Promise<IteratorResult<StreamPart, End>> {
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
  async finish(): Promise<End> {
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

  #started(): Promise<PreparedDrive<End>> {
    if (this.#drive === null) this.#start();
    return this.#drive ?? this.#prepare();
  }

  async #finish(): Promise<IteratorResult<StreamPart, End>> {
    if (this.#end === null) this.#start();
    const value = await this.#end;
    if (value === null) throw new Error("A drive ended without an end.");
    return { value, done: true };
  }
}
