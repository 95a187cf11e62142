import { EXIT } from "./exit-code.ts";
import { plainText } from "./one-line.ts";

/** Standard output carries what was asked for, standard error all that is said about it. */
export class Output {
  readonly #stdout: NodeJS.WritableStream;
  readonly #stderr: NodeJS.WritableStream;
  readonly #listeners = new Set<() => void>();
  /** Standard error takes what it is given. */
  #isHeard = true;
  #fault: NodeJS.ErrnoException | null = null;

  constructor(stdout: NodeJS.WritableStream, stderr: NodeJS.WritableStream) {
    this.#stdout = stdout;
    this.#stderr = stderr;
    stdout.on("error", (error: NodeJS.ErrnoException) => this.#fail(error));
    // What was asked for goes on without what is said about it; where nobody hears us there is nobody to tell.
    stderr.on("error", () => {
      this.#isHeard = false;
    });
  }

  /** Writes to standard output. */
  text(text: string | Uint8Array): void {
    if (this.#fault === null) this.#stdout.write(text, (error) => this.#wrote(error));
  }

  /** Writes a line to standard error, with nothing in it that steers a terminal: names and ids in it may come from a foreign file. */
  note(line: string): void {
    if (this.#isHeard) this.#stderr.write(`${plainText(line)}\n`);
  }

  /** Why nothing more can be written to standard output; null while all is well. A closed pipe is `EPIPE`. */
  get fault(): NodeJS.ErrnoException | null {
    return this.#fault;
  }

  /** Calls back once nothing more can be written. Returns the way to stop. */
  onFault(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (this.#fault !== null) listener();
    return () => this.#listeners.delete(listener);
  }

  /** Waits until all that was written is taken, or can't be. */
  flush(): Promise<void> {
    return new Promise((resolve) => this.#stdout.write("", () => resolve()));
  }

  /**
   * Waits until all that was written is taken, and gives the exit code: never 0 when it could not be. A reader who has gone has seen
   * enough, which is no failure; a command for which it is one (`export`) says so by its code.
   */
  async finish(code: number): Promise<number> {
    await this.flush();
    const fault = this.#fault;
    if (fault === null || fault.code === "EPIPE") return code;
    this.note(
      `rein: The output can't be written (${fault.message}), so it is not whole. Give it a place that takes it; what the store holds is whole. [store_io]`,
    );
    return code === EXIT.done ? EXIT.failed : code;
  }

  #wrote(error: Error | null | undefined): void {
    if (error !== null && error !== undefined) this.#fail(error);
  }

  #fail(error: NodeJS.ErrnoException): void {
    if (this.#fault !== null) return;
    this.#fault = error;
    for (const listener of this.#listeners) listener();
  }
}
