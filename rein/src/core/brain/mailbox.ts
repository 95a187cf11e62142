import type { ReinError, Result } from "../errors.ts";
import type { Clock } from "../ports.ts";
import { breathing } from "./breath.ts";
import type { Flight } from "./flight.ts";
import type { RoundNews } from "./round.ts";

/** Something that happened and waits to be folded. */
export interface Mail {
  readonly events: readonly RoundNews[];
  /** The effect whose outcome this is. */
  readonly flight?: Flight;
  /** Told what became of the commit. */
  readonly done?: (result: Result<void>) => void;
}

const NOTHING = Promise.resolve();

/** What a driver has not looked at yet: mail of its effects, and the knowledge that commands may wait in the store. */
export class Mailbox {
  #mail: Mail[] = [];
  #commands = true;
  #wake: () => void = () => undefined;
  #closed: ReinError | null = null;
  #breath: (() => Promise<void> | undefined) | null = null;

  /** Nothing is to be done. */
  get empty(): boolean {
    return this.#mail.length === 0 && !this.#commands;
  }

  post(mail: Mail): void {
    if (this.#closed === null) {
      this.#mail.push(mail);
      this.#wake();
    } else mail.done?.({ ok: false, error: this.#closed });
  }

  /** Commands may wait in the store. */
  noticeCommands(): void {
    this.#commands = true;
    this.#wake();
  }

  /** Whether commands may wait; asking clears it. */
  takeNotice(): boolean {
    const commands = this.#commands;
    this.#commands = false;
    return commands;
  }

  take(): readonly Mail[] {
    return this.#mail.splice(0);
  }

  /** Resolves when there are news, at {@link stir}, or when it was time to let others have their turn. */
  next(clock: Pick<Clock, "monotonic" | "breathe">): Promise<void> {
    this.#breath ??= breathing(clock);
    const breath = this.#breath();
    if (breath !== undefined) return breath;
    if (!this.empty) return NOTHING;
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Wakes who waits for news, without any. */
  stir(): void {
    this.#wake();
  }

  /** Takes nothing any more; whoever waits for a commit gets this error. */
  close(error: ReinError): void {
    this.#closed = error;
    for (const { done } of this.take()) done?.({ ok: false, error });
  }
}
