import type { EffectContext } from "../../session/part.ts";

/** Streamed text is kept outside the log at most this long after it came, milliseconds. */
const KEEP_EVERY = 250;

/** The text streamed so far, kept in a scratch row so that a crash loses at most 250 ms of it. */
export class PartialText {
  readonly #context: EffectContext;
  readonly #stop = new AbortController();
  #text = "";
  #armed = false;
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
    if (this.#armed || this.#closed) return;
    this.#armed = true;
    void this.#keepLater();
  }

  /** The whole text; nothing is kept any more. */
  close(): string {
    this.#closed = true;
    // With a reason, because without one Node makes an error with a stack for each.
    this.#stop.abort("over");
    return this.#text;
  }

  async #keepLater(): Promise<void> {
    await this.#context.clock.sleep(KEEP_EVERY, this.#stop.signal);
    this.#armed = false;
    if (!this.#closed) await this.#context.scratch(this.#text);
  }
}
