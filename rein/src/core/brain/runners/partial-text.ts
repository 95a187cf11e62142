import type { EffectContext } from "../../session/part.ts";
import { startTimer } from "../../start-timer.ts";

/** Streamed text is kept outside the log at most this long after it came, milliseconds. */
const KEEP_EVERY = 250;

/** The text streamed so far, kept in a scratch row so that a crash loses at most 250 ms of it. */
export class PartialText {
  readonly #context: EffectContext;
  #text = "";
  #stop: (() => void) | null = null;
  #closed = false;

  constructor(context: EffectContext) {
    this.#context = context;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Adds text that came. */
  add(text: string): void {
    this.#text += text;
    if (this.#stop === null && !this.#closed)
      this.#stop = startTimer(this.#context.clock, KEEP_EVERY, () => this.#keep());
  }

  /** The whole text; nothing is kept any more. */
  close(): string {
    this.#closed = true;
    this.#stop?.();
    return this.#text;
  }

  #keep(): void {
    this.#stop = null;
    // What a store that fails means for the run is for the flight to say.
    void this.#context.scratch(this.#text);
  }
}
