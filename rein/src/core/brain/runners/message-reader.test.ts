import { expect, it } from "vitest";
import { ok } from "../../errors.ts";
import type { ModelStreamPart, Redact } from "../../ports.ts";
import { type EffectContext, initialKernelState, type State, type StreamPart } from "../../session/index.ts";
import { noRedact } from "../../testing/plain-ports.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";
import { MessageReader } from "./message-reader.ts";

type Delta = Exclude<ModelStreamPart, { type: "done" | "error" }>;

/** Knows one secret, `hunter2`, and holds back what may be its beginning. */
const redact: Redact = {
  ...noRedact,
  active: true,
  stream: () => {
    let held = "";
    return {
      push: (text) => {
        const all = (held + text).replaceAll("hunter2", "[secret:PW]");
        let keep = 0;
        for (let size = 1; size < 7; size += 1) if (all.endsWith("hunter2".slice(0, size))) keep = size;
        held = all.slice(all.length - keep);
        return all.slice(0, all.length - keep);
      },
      flush: () => {
        const rest = held;
        held = "";
        return rest;
      },
    };
  },
};

const state: State = { kernel: initialKernelState("s"), slices: {} };

const read = (parts: readonly Delta[], filter: Redact = noRedact) => {
  const emitted: StreamPart[] = [];
  const context: EffectContext = {
    signal: new AbortController().signal,
    clock: createVirtualClock(),
    session: "s",
    state: () => state,
    load: async () => ok(undefined),
    append: async () => ok(undefined),
    emit: (part) => void emitted.push(part),
    scratch: async () => ok(undefined),
    saved: null,
  };
  const reader = new MessageReader(context, filter, 3);
  for (const part of parts) void reader.take(part);
  return { reader, emitted };
};

it("gives each kind of block its own parts, opened and closed", () => {
  const { emitted, reader } = read([
    { type: "block_start", index: 0, block: "thinking" },
    { type: "thinking_delta", index: 0, text: "Hm." },
    { type: "block_end", index: 0 },
    { type: "block_start", index: 1, block: "text" },
    { type: "text_delta", index: 1, text: "Hello" },
    { type: "block_end", index: 1 },
    { type: "block_start", index: 2, block: "tool_use", id: "t1", name: "look" },
    { type: "input_delta", index: 2, json: '{"a":' },
    { type: "input_delta", index: 2, json: "1}" },
    { type: "block_end", index: 2 },
  ]);
  expect(emitted).toEqual([
    { type: "content_block_start", turn: 3, block: 0, blockType: "thinking" },
    { type: "thinking_delta", turn: 3, block: 0, text: "Hm." },
    { type: "content_block_end", turn: 3, block: 0 },
    { type: "content_block_start", turn: 3, block: 1, blockType: "text" },
    { type: "text_delta", turn: 3, block: 1, text: "Hello" },
    { type: "content_block_end", turn: 3, block: 1 },
    { type: "tool_use_start", turn: 3, block: 2, id: "t1", name: "look" },
    { type: "tool_input_delta", turn: 3, block: 2, json: '{"a":' },
    { type: "tool_input_delta", turn: 3, block: 2, json: "1}" },
    { type: "tool_use_end", turn: 3, block: 2 },
  ]);
  expect(reader.close()).toBe("Hello");
});

it("lets no secret through, in whatever block and however it is cut", () => {
  const { emitted, reader } = read(
    [
      { type: "block_start", index: 0, block: "thinking" },
      { type: "thinking_delta", index: 0, text: "it is hun" },
      { type: "thinking_delta", index: 0, text: "ter2." },
      { type: "block_end", index: 0 },
      { type: "block_start", index: 1, block: "text" },
      { type: "text_delta", index: 1, text: "say hunt" },
      { type: "text_delta", index: 1, text: "er2 and hun" },
      { type: "block_end", index: 1 },
      { type: "block_start", index: 2, block: "tool_use", id: "t1", name: "look" },
      { type: "input_delta", index: 2, json: '{"p":"hunte' },
      { type: "input_delta", index: 2, json: 'r2"}' },
      { type: "block_end", index: 2 },
    ],
    redact,
  );
  const text = JSON.stringify(emitted);
  expect(text).not.toContain("hunter2");
  expect(emitted.filter((part) => part.type === "text_delta").map((part) => part.text)).toEqual([
    "say ",
    "[secret:PW] and ",
    "hun",
  ]);
  expect(emitted.filter((part) => part.type === "tool_input_delta").map((part) => part.json)).toEqual([
    '{"p":"',
    '[secret:PW]"}',
  ]);
  expect(reader.close()).toBe("say [secret:PW] and hun");
});

it("tells what is held back of blocks that arrive in turns apart", () => {
  const { emitted } = read(
    [
      { type: "text_delta", index: 0, text: "a hun" },
      { type: "text_delta", index: 1, text: "ter2" },
      { type: "block_end", index: 0 },
      { type: "block_end", index: 1 },
    ],
    redact,
  );
  expect(emitted.filter((part) => part.type === "text_delta")).toEqual([
    { type: "text_delta", turn: 3, block: 0, text: "a " },
    { type: "text_delta", turn: 3, block: 1, text: "ter2" },
    { type: "text_delta", turn: 3, block: 0, text: "hun" },
  ]);
});

it("keeps what was held back when the stream is cut", () => {
  const { reader } = read([{ type: "text_delta", index: 0, text: "the hun" }], redact);
  expect(reader.close()).toBe("the hun");
  expect(reader.closed).toBe(true);
});
