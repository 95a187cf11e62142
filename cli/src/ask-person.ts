import { createInterface, type Interface } from "node:readline/promises";

/** How often an answer that is neither yes nor no is asked for; then it is no. */
const MOST_QUESTIONS = 3;

/** Asks the person at the terminal, one question after the other. Silence is no. */
export class Person {
  readonly #input: NodeJS.ReadableStream;
  readonly #output: NodeJS.WritableStream;
  #reader: Interface | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #gone = false;

  constructor(input: NodeJS.ReadableStream, output: NodeJS.WritableStream) {
    this.#input = input;
    this.#output = output;
  }

  /** Whether the person says yes; null when `signal` aborts before they answer. */
  ask(question: string, signal: AbortSignal): Promise<boolean | null> {
    const answer = this.#last.then(() => this.#ask(question, signal));
    this.#last = answer;
    return answer;
  }

  /** Lets the terminal go, so that the process can end. */
  close(): void {
    this.#gone = true;
    this.#reader?.close();
  }

  async #ask(question: string, signal: AbortSignal): Promise<boolean | null> {
    if (signal.aborted) return null;
    if (this.#gone) return false;
    // Line by line, so that Ctrl-C stays a signal; and from now on, so that what was typed before is no answer.
    this.#reader ??= createInterface({ input: this.#input, output: this.#output, terminal: false });
    const ended = new Promise<string>((resolve) => this.#reader?.once("close", () => resolve("")));
    try {
      for (let asked = 0; asked < MOST_QUESTIONS; asked += 1) {
        const prompt = asked === 0 ? question : "Please answer y or n: ";
        const answer = await Promise.race([this.#reader.question(prompt, { signal }), ended]);
        if (/^\s*y(es)?\s*$/i.test(answer)) return true;
        if (/^\s*(no?)?\s*$/i.test(answer)) return false;
      }
      return false;
    } catch (thrown) {
      if (signal.aborted) return null;
      throw thrown;
    }
  }
}
