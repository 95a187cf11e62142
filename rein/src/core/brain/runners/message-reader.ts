import type { ModelStreamPart, Redact } from "../../ports.ts";
import type { EffectContext } from "../../session/part.ts";
import { PartialText } from "./partial-text.ts";

type Delta = Exclude<ModelStreamPart, { type: "done" | "error" }>;
type Filter = ReturnType<Redact["stream"]>;
type BlockType = (Delta & { type: "block_start" })["block"];

/** Hands the pieces of an arriving message on: redacted, to the caller of `run`; the text also to the scratch row. */
export class MessageReader {
  /** Nothing is taken any more. */
  closed = false;
  readonly #context: EffectContext;
  readonly #redact: Redact;
  readonly #turn: number;
  readonly #partial: PartialText;
  /** Types of the blocks seen, by their index. */
  readonly #blocks = new Map<number, BlockType>();
  /** Each block has a filter of its own: a secret does not go on from one into the next. */
  readonly #filters = new Map<number, Filter>();

  constructor(context: EffectContext, redact: Redact, turn: number) {
    this.#context = context;
    this.#redact = redact;
    this.#turn = turn;
    this.#partial = new PartialText(context);
  }

  /** Takes a piece; a promise while the caller of `run` has no room. */
  take(part: Delta): void | Promise<void> {
    switch (part.type) {
      case "text_delta":
        return this.#delta(part.index, "text", part.text);
      case "thinking_delta":
        return this.#delta(part.index, "thinking", part.text);
      case "input_delta":
        return this.#delta(part.index, "tool_use", part.json);
      case "block_start":
        return this.#open(part);
      case "block_end":
        return this.#end(part.index);
    }
  }

  /** Ends the reading; gives the text that came, with what the filters still held back. */
  close(): string {
    this.closed = true;
    for (const block of this.#filters.keys()) void this.#flush(block);
    return this.#partial.close();
  }

  #open({ index: block, block: type, id = "", name = "" }: Delta & { type: "block_start" }): void | Promise<void> {
    this.#blocks.set(block, type);
    const turn = this.#turn;
    if (type !== "tool_use") return this.#context.emit({ type: "content_block_start", turn, block, blockType: type });
    const redact = this.#redact;
    return this.#context.emit({ type: "tool_use_start", turn, block, id: redact.text(id), name: redact.text(name) });
  }

  #delta(block: number, type: BlockType, text: string): void | Promise<void> {
    if (!this.#redact.active) return this.#emit(block, type, text);
    this.#blocks.set(block, type);
    let filter = this.#filters.get(block);
    if (filter === undefined) {
      filter = this.#redact.stream();
      this.#filters.set(block, filter);
    }
    return this.#emit(block, type, filter.push(text));
  }

  #end(block: number): void | Promise<void> {
    // The part that ends the block waits for the reader in the place of both.
    void this.#flush(block);
    const type = this.#blocks.get(block) === "tool_use" ? "tool_use_end" : "content_block_end";
    return this.#context.emit({ type, turn: this.#turn, block });
  }

  #flush(block: number): void | Promise<void> {
    const rest = this.#filters.get(block)?.flush() ?? "";
    this.#filters.delete(block);
    return this.#emit(block, this.#blocks.get(block) ?? "text", rest);
  }

  #emit(block: number, type: BlockType, text: string): void | Promise<void> {
    if (text === "") return undefined;
    const turn = this.#turn;
    switch (type) {
      case "text":
        this.#partial.add(text);
        return this.#context.emit({ type: "text_delta", turn, block, text });
      case "thinking":
        return this.#context.emit({ type: "thinking_delta", turn, block, text });
      case "tool_use":
        return this.#context.emit({ type: "tool_input_delta", turn, block, json: text });
    }
  }
}
