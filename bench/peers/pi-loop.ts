/**
 * The loop of pi-agent-core 1.6 with the same stub, translated part by part into pi's stream as its adapters of providers do. It keeps
 * no log.
 */
import { type AgentTool, agentLoop, type StreamFn } from "@earendil-works/pi-agent-core";
import { type AssistantMessage, createAssistantMessageEventStream } from "@earendil-works/pi-ai";
import type { ModelStreamPart } from "rein";
import { NOOP, NOOP_RESULT, type StubModel } from "./stub-model.ts";

type PiStream = ReturnType<typeof createAssistantMessageEventStream>;
type PiModel = Parameters<StreamFn>[0];

const COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const MODEL: PiModel = {
  id: "stub",
  name: "stub",
  api: "stub",
  provider: "stub",
  baseUrl: "",
  reasoning: false,
  input: ["text"],
  cost: COST,
  contextWindow: 200_000,
  maxTokens: 8_000,
};
const TOOL: AgentTool = {
  name: NOOP,
  label: NOOP,
  description: "Does nothing.",
  parameters: { type: "object", properties: { n: { type: "number" } } },
  execute: async () => ({ content: [{ type: "text", text: NOOP_RESULT }], details: undefined }),
};

/** Runs a task to its end, reading every event. */
export async function piLoop(stub: StubModel, task: string, turnEnded: () => void): Promise<void> {
  let turn = 0;
  const streamFn: StreamFn = () => {
    turn += 1;
    const stream = createAssistantMessageEventStream();
    void translate(stub, turn, stream);
    return stream;
  };
  const prompt = { role: "user", content: task, timestamp: Date.now() } as const;
  const context = { messages: [], tools: [TOOL] };
  const events = agentLoop([prompt], context, { model: MODEL, convertToLlm: asMessages }, undefined, streamFn);
  for await (const event of events) if (event.type === "turn_end") turnEnded();
}

const asMessages: Parameters<typeof agentLoop>[2]["convertToLlm"] = (messages) => messages;

async function translate(stub: StubModel, turn: number, stream: PiStream): Promise<void> {
  const partial: AssistantMessage = {
    role: "assistant",
    content: [],
    api: MODEL.api,
    provider: MODEL.provider,
    model: MODEL.id,
    usage: { ...COST, input: 1_000, output: 20, totalTokens: 1_020, cost: { ...COST, total: 0 } },
    stopReason: "pending",
    timestamp: Date.now(),
  };
  stream.push({ type: "start", partial });
  for await (const part of stub.stream({ trace: { turn } })) push(part, partial, stream);
}

function push(part: ModelStreamPart, partial: AssistantMessage, stream: PiStream): void {
  const contentIndex = "index" in part ? part.index : 0;
  const block = partial.content[contentIndex];
  switch (part.type) {
    case "block_start":
      if (part.block === "tool_use") {
        partial.content.push({ type: "toolCall", id: part.id ?? "", name: part.name ?? "", arguments: {} });
        stream.push({ type: "toolcall_start", contentIndex, partial });
      } else {
        partial.content.push({ type: "text", text: "" });
        stream.push({ type: "text_start", contentIndex, partial });
      }
      break;
    case "text_delta":
      if (block?.type === "text") block.text += part.text;
      stream.push({ type: "text_delta", contentIndex, delta: part.text, partial });
      break;
    case "input_delta":
      if (block?.type === "toolCall") block.arguments = JSON.parse(part.json);
      stream.push({ type: "toolcall_delta", contentIndex, delta: part.json, partial });
      break;
    case "block_end":
      if (block?.type === "text") stream.push({ type: "text_end", contentIndex, content: block.text, partial });
      if (block?.type === "toolCall") stream.push({ type: "toolcall_end", contentIndex, toolCall: block, partial });
      break;
    case "done": {
      const reason = part.stop === "tool_use" ? "toolUse" : "stop";
      partial.stopReason = reason;
      stream.push({ type: "done", reason, message: partial });
      break;
    }
    default:
      throw new Error(`The stub never says ${part.type}.`);
  }
}
