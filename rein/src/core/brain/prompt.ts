import { ok, type Result } from "../errors.ts";
import type { Message } from "../message/message.ts";
import type { KernelState } from "../session/state.ts";
import { projectItem, seqsOf } from "./projection.ts";

/** The messages of a session, rendered once and kept: each request costs what is new, so each gives out the same array, longer. */
export class Prompt {
  #epoch = -1;
  #rendered = 0;
  #messages: Message[] = [];
  #used = new Set<string>();

  /** All messages of the state's history; what is not `recent` is loaded. Starts anew only when the history was more than extended. */
  async render(
    kernel: KernelState,
    load: (seq: number) => Promise<Result<unknown>>,
    recent: (seq: number) => unknown = () => undefined,
  ): Promise<Result<readonly Message[]>> {
    if (kernel.epoch !== this.#epoch || kernel.history.length < this.#rendered) {
      this.#epoch = kernel.epoch;
      this.#rendered = 0;
      this.#messages = [];
      this.#used = new Set();
    }
    for (; this.#rendered < kernel.history.length; this.#rendered += 1) {
      const item = kernel.history.at(this.#rendered);
      if (item === undefined) break;
      const data = new Map<number, unknown>();
      for (const seq of seqsOf(item)) {
        let value = recent(seq);
        if (value === undefined) {
          const loaded = await load(seq);
          if (!loaded.ok) return loaded;
          value = loaded.value;
        }
        data.set(seq, value);
      }
      this.#messages.push(...projectItem(item, (seq) => data.get(seq), this.#used));
    }
    return ok(this.#messages);
  }
}
