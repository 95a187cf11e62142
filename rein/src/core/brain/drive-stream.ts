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
 * Leaving it early (`break`, `return`) interrupts the run and waits until the session is given back; left before its first `next`, the
 * session is made and its input waits there.
 */
export class DriveStream<End> implements AsyncGenerator<StreamPart, End> {
  readonly #queue: PartQueue;
  readonly #prepare: () => Promise<PreparedDrive<End>>;
  #started: { readonly drive: Promise<PreparedDrive<End>>; readonly end: Promise<End> } | null = null;

  constructor(queue: PartQueue, prepare: () => Promise<PreparedDrive<End>>) {
    this.#queue = queue;
    this.#prepare = prepare;
  }

  next(): Promise<IteratorResult<StreamPart, End>> {
    const { end } = this.#started ?? this.#start();
    const value = this.#queue.take();
    if (value !== null) return Promise.resolve({ value, done: false });
    if (this.#queue.closed) return finished(end);
    return new Promise((resolve) => {
      this.#queue.wait((part) => resolve(part === null ? finished(end) : { value: part, done: false }));
    });
  }

  async return(): Promise<IteratorResult<StreamPart, End>> {
    const { drive, end } = this.#start();
    const { leave } = await drive;
    leave();
    this.#queue.unbind();
    return finished(end);
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
      for (let more = this.#queue.take(); more !== null; more = this.#queue.take());
    }
  }

  #start(): { readonly drive: Promise<PreparedDrive<End>>; readonly end: Promise<End> } {
    if (this.#started !== null) return this.#started;
    const drive = this.#prepare();
    const end = drive.then(({ run }) => run()).finally(() => this.#queue.close());
    // Whoever reads the end sees a failure; until then it is not unhandled.
    end.catch(() => undefined);
    this.#started = { drive, end };
    return this.#started;
  }
}

async function finished<End>(end: Promise<End>): Promise<IteratorResult<StreamPart, End>> {
  return { value: await end, done: true };
}
