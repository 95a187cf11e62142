import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ReinFailure } from "../../core/errors.ts";
import type { Block, Message } from "../../core/message/message.ts";
import type { Model, ModelRequest, ModelStreamPart, ToolSchema } from "../../core/ports.ts";
import { createRehearsalModel, INTRODUCTION } from "./create-rehearsal-model.ts";
import type { Playbook } from "./playbook.ts";
import { streamBlocks } from "./stream-blocks.ts";

const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const tools: readonly ToolSchema[] = ["shell", "read", "write", "list", "search"].map((name) => ({
  name,
  description: name,
  input: { type: "object" },
}));

function request(...messages: readonly Message[]): ModelRequest {
  return { model: "rehearsal", system: "s", tools, messages, trace: { session: "s", turn: 1, attempt: 1 } };
}

async function partsOf(
  model: Model,
  asked: ModelRequest,
  signal = new AbortController().signal,
): Promise<ModelStreamPart[]> {
  const parts: ModelStreamPart[] = [];
  for await (const part of model.stream(asked, signal)) parts.push(part);
  return parts;
}

async function contentOf(asked: ModelRequest, model = createRehearsalModel()): Promise<readonly Block[]> {
  const last = (await partsOf(model, asked)).at(-1);
  return last?.type === "done" ? last.content : [];
}

describe("the answer", () => {
  test("says first that it is rule-based and no language model, once in a conversation", async () => {
    expect(INTRODUCTION).toContain("rule-based and no language model");
    const first = await contentOf(request(user("echo hello")));
    expect(first).toEqual([
      { type: "text", text: INTRODUCTION },
      { type: "text", text: "hello" },
    ]);
    const second = await contentOf(
      request(user("echo hello"), { role: "assistant", content: first }, user("echo 再见")),
    );
    expect(second).toEqual([{ type: "text", text: "再见" }]);
  });

  test("a task that no rule takes is answered with what can be asked", async () => {
    const [, about] = await contentOf(request(user("Translate the Odyssey.")));
    const text = about?.type === "text" ? about.text : "";
    expect(text).toContain("none of my rules");
    for (const example of ["echo good morning", "run `npm test`", "Examine this folder and write a report"]) {
      expect(text).toContain(`  - ${example}`);
    }
  });

  test("an examination begins with two calls in one message, and stops for their results", async () => {
    const parts = await partsOf(createRehearsalModel(), request(user("Examine this folder")));
    expect(parts.filter((part) => part.type === "block_start")).toEqual([
      { type: "block_start", index: 0, block: "text" },
      { type: "block_start", index: 1, block: "text" },
      { type: "block_start", index: 2, block: "tool_use", id: "call_1", name: "list" },
      { type: "block_start", index: 3, block: "tool_use", id: "call_2", name: "search" },
    ]);
    expect(parts.filter((part) => part.type === "text_delta").length).toBeGreaterThan(5);
    expect(parts.at(-1)).toMatchObject({
      type: "done",
      stop: "tool_use",
      vendor: "rehearsal",
      usage: { cost: 0, estimated: true },
    });
  });

  test("ids of calls go on over a conversation, whoever made the earlier ones", async () => {
    const other: Message = {
      role: "assistant",
      content: [{ type: "tool_use", id: "x", name: "read", input: { path: "a" } }],
    };
    const result: Message = { role: "tool", content: [{ type: "tool_result", id: "x", content: [], isError: false }] };
    const content = await contentOf(request(user("run `ls`"), other, result));
    expect(content.at(-1)).toEqual({ type: "tool_use", id: "call_2", name: "shell", input: { command: "ls" } });
  });

  test("a playbook of one's own", async () => {
    const greet: Playbook = {
      name: "greet",
      purpose: "Greets.",
      examples: ["greet"],
      asks: (text) => text === "greet",
      rules: [{ name: "greet", when: () => true, respond: () => [{ type: "text", text: "Good morning." }] }],
    };
    const model = createRehearsalModel({ playbooks: [greet] });
    expect((await contentOf(request(user("greet")), model)).at(-1)).toEqual({ type: "text", text: "Good morning." });
    const parts = await partsOf(createRehearsalModel({ playbooks: [{ ...greet, rules: [] }] }), request(user("greet")));
    expect(parts).toEqual([
      {
        type: "error",
        error: {
          class: "permanent",
          code: "model_script",
          message: "No rule of the playbook `greet` answers here.",
          hint: "Give it a last rule that always holds and answers with a block.",
        },
      },
    ]);
  });
});

describe("slow on demand", () => {
  test("it rests before each delta, by the clock it is given", async () => {
    const rests: number[] = [];
    const clock = {
      sleep: async (ms: number): Promise<void> => {
        rests.push(ms);
      },
    };
    const asked = request(user("echo hello"));
    const slow = await partsOf(createRehearsalModel({ delayMs: 40, clock }), asked);
    expect(slow).toEqual(await partsOf(createRehearsalModel(), asked));
    expect(rests).toEqual(Array.from({ length: slow.length - 1 }, () => 40));
  });

  test("an abort in the middle ends the stream with one error", async () => {
    const abort = new AbortController();
    let rests = 0;
    const clock = {
      sleep: async (): Promise<void> => {
        rests += 1;
        if (rests === 3) abort.abort();
      },
    };
    const parts = await partsOf(createRehearsalModel({ delayMs: 1, clock }), request(user("echo hello")), abort.signal);
    expect(parts.map((part) => part.type)).toEqual(["block_start", "text_delta", "error"]);
    expect(parts.at(-1)).toMatchObject({ error: { class: "transient", code: "aborted" } });
  });

  test.each([
    [{ delayMs: 5 }, "delayMs is given without a clock."],
    [{ delayMs: -1 }, "delayMs is -1."],
    [{ delayMs: Number.NaN }, "delayMs is NaN."],
  ])("%o is refused", (options, message) => {
    try {
      createRehearsalModel(options);
      expect.unreachable();
    } catch (thrown) {
      if (!(thrown instanceof ReinFailure)) throw thrown;
      expect(thrown.error).toMatchObject({ code: "invalid_option", message });
    }
  });
});

test("deltas join to their block, and each is well-formed", () => {
  const unit = fc.constantFrom("a", "库", "🙂", "\n", '"', "👩‍🔧");
  const text = fc.string({ unit, minLength: 60, maxLength: 900, size: "max" });
  fc.assert(
    fc.property(text, text, (said, command) => {
      const blocks: readonly Block[] = [
        { type: "text", text: said },
        { type: "tool_use", id: "1", name: "shell", input: { command } },
      ];
      const joined = ["", ""];
      for (const part of streamBlocks(blocks)) {
        const piece = part.type === "text_delta" ? part.text : part.type === "input_delta" ? part.json : "";
        expect(piece.isWellFormed()).toBe(true);
        if ("index" in part) joined[part.index] += piece;
      }
      expect(joined).toEqual([said, JSON.stringify({ command })]);
    }),
  );
});
