import type { Block } from "../../core/message/index.ts";
import type { ModelStreamPart } from "../../core/ports.ts";

/** UTF-16 units of a text delta and of an arguments delta: small enough to be interrupted in the middle of a sentence. */
const TEXT_UNITS = 24;
const JSON_UNITS = 240;

/** The parts that stream a message, without the last `done`. Joined, the deltas give the blocks again. */
export function* streamBlocks(blocks: readonly Block[]): Generator<ModelStreamPart> {
  for (const [index, block] of blocks.entries()) {
    if (block.type === "text") {
      yield { type: "block_start", index, block: "text" };
      for (const text of chunksOf(block.text, TEXT_UNITS)) yield { type: "text_delta", index, text };
      yield { type: "block_end", index };
    } else if (block.type === "tool_use") {
      yield { type: "block_start", index, block: "tool_use", id: block.id, name: block.name };
      for (const json of chunksOf(JSON.stringify(block.input), JSON_UNITS)) yield { type: "input_delta", index, json };
      yield { type: "block_end", index };
    }
  }
}

/** Cuts a text into pieces that are each well-formed. */
function* chunksOf(text: string, units: number): Generator<string> {
  let start = 0;
  while (start < text.length) {
    let end = Math.min(start + units, text.length);
    if (isPairAt(text, end - 1)) end += 1;
    yield text.slice(start, end);
    start = end;
  }
}

function isPairAt(text: string, index: number): boolean {
  return (text.codePointAt(index) ?? 0) > 0xffff;
}
