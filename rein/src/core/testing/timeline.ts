interface Sleeper {
  readonly due: number;
  readonly order: number;
  readonly wake: () => void;
}

/**
 * Simulated time that any number of clocks share. It moves only when told to, and lets everything run that can run before it
 * moves on; so what happens in it depends on nothing but what was done.
 */
export class Timeline {
  readonly #rounds: number;
  /** In the order in which they are due. */
  #sleepers: Sleeper[] = [];
  #passed = 0;
  #order = 0;

  /** `rounds`: turns of the event loop that count as "everything has run". One is enough when nothing real is waited for. */
  constructor(rounds = 3) {
    this.#rounds = rounds;
  }

  /** Milliseconds since it began. */
  get passed(): number {
    return this.#passed;
  }

  get sleepers(): number {
    return this.#sleepers.length;
  }

  /** Resolves `ms` later, or at once when the signal aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const onAbort = (): void => {
        this.#remove(sleeper);
        resolve();
      };
      const wake = (): void => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      };
      this.#order += 1;
      const sleeper: Sleeper = { due: this.#passed + Math.max(0, ms), order: this.#order, wake };
      this.#insert(sleeper);
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** Moves on and wakes the sleepers that are due, in their order. */
  async advance(ms: number): Promise<void> {
    const end = this.#passed + ms;
    for (let next = this.#sleepers[0]; next !== undefined && next.due <= end; next = this.#sleepers[0])
      await this.#moveTo(next.due);
    await this.#moveTo(end);
  }

  /** Moves to the next sleeper; false when nobody sleeps. */
  async advanceToNext(): Promise<boolean> {
    const [next] = this.#sleepers;
    if (next === undefined) return false;
    await this.#moveTo(next.due);
    return true;
  }

  /** Lets everything run that can run without time passing. */
  async settle(): Promise<void> {
    await settle(this.#rounds);
  }

  async #moveTo(due: number): Promise<void> {
    this.#passed = due;
    let count = 0;
    while ((this.#sleepers[count]?.due ?? Number.POSITIVE_INFINITY) <= due) count += 1;
    for (const sleeper of this.#sleepers.splice(0, count)) sleeper.wake();
    await this.settle();
  }

  #insert(sleeper: Sleeper): void {
    let place = this.#sleepers.length;
    while (place > 0 && (this.#sleepers[place - 1]?.due ?? 0) > sleeper.due) place -= 1;
    this.#sleepers.splice(place, 0, sleeper);
  }

  #remove(sleeper: Sleeper): void {
    const place = this.#sleepers.indexOf(sleeper);
    if (place >= 0) this.#sleepers.splice(place, 1);
  }
}

/** Lets everything run that can run without time passing. */
export async function settle(rounds = 3): Promise<void> {
  for (let round = 0; round < rounds; round += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}
