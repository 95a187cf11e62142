/** The model that everybody in the benchmark talks to: in process, the same words and one no-op call a turn, then the end. */
import type { Block, Model, ModelStreamPart } from "rein";

/** What the stub says in each turn. */
export interface StubSpeech {
  /** Text before the call; default a sentence. */
  readonly text?: string;
  /** Deltas the text comes in; default 2. */
  readonly deltas?: number;
}

const SENTENCE = "The next file is worth a look before anything is changed.";
const USAGE = { input: 1_000, output: 20 };

/** The name of the one tool, which does nothing. */
export const NOOP = "noop";

/** What the tool answers. */
export const NOOP_RESULT = "done";

/** The part of a request that the stub looks at. */
export interface StubRequest {
  readonly trace: { readonly turn: number };
}

/** A stub whose `turns` may be set before each run. */
export type StubModel = Pick<Model, "id" | "capabilities"> & {
  turns: number;
  stream(request: StubRequest): AsyncGenerator<ModelStreamPart, void>;
};

/** The deltas of its text. */
export function stubPieces({ text = SENTENCE, deltas = 2 }: StubSpeech = {}): readonly string[] {
  const size = Math.max(Math.ceil(text.length / deltas), 1);
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
}

/** Makes the stub: a call in each turn but the last. */
export function stubModel(turns: number, speech: StubSpeech = {}): StubModel {
  const pieces = stubPieces(speech);
  const text = pieces.join("");
  return {
    id: "stub",
    turns,
    capabilities: () => ({ images: false, documents: false, parallelCalls: true }),
    async *stream({ trace: { turn } }) {
      yield { type: "block_start", index: 0, block: "text" };
      for (const piece of pieces) yield { type: "text_delta", index: 0, text: piece };
      yield { type: "block_end", index: 0 };
      const said: Block = { type: "text", text };
      if (turn >= this.turns) {
        yield { type: "done", content: [said], stop: "end", usage: USAGE };
        return;
      }
      const id = `call_${turn}`;
      yield { type: "block_start", index: 1, block: "tool_use", id, name: NOOP };
      yield { type: "input_delta", index: 1, json: `{"n":${turn}}` };
      yield { type: "block_end", index: 1 };
      const call: Block = { type: "tool_use", id, name: NOOP, input: { n: turn } };
      yield { type: "done", content: [said, call], stop: "tool_use", usage: USAGE };
    },
  };
}
