/** The model that everybody in the benchmark talks to: in process, the same words and one no-op call a turn, then the end. */
import type { Block, Model, ModelStreamPart } from "rein";

/** What the stub says in each turn. */
export interface StubSpeech {
  /** Text before the call; default a sentence. */
  readonly text?: string;
  /** Characters of a delta; default 5, about a token. */
  readonly piece?: number;
}

const SENTENCE = "The next file is worth a look before anything is changed.";
const TOKEN = 5;
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
function piecesOf({ text = SENTENCE, piece = TOKEN }: StubSpeech): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / piece) }, (_, index) =>
    text.slice(index * piece, (index + 1) * piece),
  );
}

/** Makes the stub: a call in each turn but the last. */
export function stubModel(turns: number, speech: StubSpeech = {}): StubModel {
  const pieces = piecesOf(speech);
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

/** The stub for one turn, which says nothing before `until`. */
export function lateModel(until: Promise<void>): StubModel {
  const model = stubModel(1);
  return {
    ...model,
    async *stream(request) {
      await until;
      yield* model.stream(request);
    },
  };
}
