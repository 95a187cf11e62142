/** An abort that costs next to nothing: the `AbortSignal` of it is made when somebody first asks for it. */
export class StopSignal {
  #aborted = false;
  #reason: unknown;
  #controller: AbortController | null = null;
  #calls: (() => void)[] = [];

  /** One that follows a real signal. */
  static of(signal: AbortSignal): StopSignal {
    const stop = new StopSignal();
    if (signal.aborted) stop.abort(signal.reason);
    else signal.addEventListener("abort", () => stop.abort(signal.reason), { once: true });
    return stop;
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  /** The same as a real signal. */
  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Calls back once at the abort, now if that has been; gives the way to take it back. */
  onAbort(call: () => void): () => void {
    if (this.#aborted) {
      call();
      return () => undefined;
    }
    this.#calls.push(call);
    return () => {
      this.#calls = this.#calls.filter((other) => other !== call);
    };
  }

  abort(reason?: unknown): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
    const calls = this.#calls;
    this.#calls = [];
    for (const call of calls) call();
  }
}

/** The stop of a context that may have only a real signal. */
export function stopOf(context: { readonly signal: AbortSignal; readonly stop?: StopSignal }): StopSignal {
  return context.stop ?? StopSignal.of(context.signal);
}
