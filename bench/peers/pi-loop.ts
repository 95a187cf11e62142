/**
 * The loop of pi-agent-core 1.6 with the stub in its own terms: the same words, deltas and calls, pushed into its stream at once,
 * which is the cheapest way there is for it. It keeps no log.
 */
import { type AgentTool, agentLoop, type StreamFn } from "@earendil-works/pi-agent-core";
import { type AssistantMessage, createAssistantMessageEventStream } from "@earendil-works/pi-ai";
import { NOOP, NOOP_RESULT, type StubSpeech, stubPieces } from "./stub-model.ts";

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

/** Runs a task of so many turns to its end, reading every event. */
export async function piLoop(turns: number, task: string, turnEnded: () => void, speech?: StubSpeech): Promise<void> {
  const pieces = stubPieces(speech);
  let turn = 0;
  const stream: StreamFn = () => {
    turn += 1;
    return speak(pieces, turn, turn < turns);
  };
  const prompt = { role: "user", content: task, timestamp: Date.now() } as const;
  const context = { messages: [], tools: [TOOL] };
  const events = agentLoop([prompt], context, { model: MODEL, convertToLlm: asMessages }, undefined, stream);
  for await (const event of events) if (event.type === "turn_end") turnEnded();
}

const asMessages: Parameters<typeof agentLoop>[2]["convertToLlm"] = (messages) => messages;

function speak(pieces: readonly string[], turn: number, calls: boolean): ReturnType<StreamFn> {
  const stream = createAssistantMessageEventStream();
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
  const said = { type: "text" as const, text: "" };
  partial.content.push(said);
  stream.push({ type: "start", partial });
  stream.push({ type: "text_start", contentIndex: 0, partial });
  for (const delta of pieces) {
    said.text += delta;
    stream.push({ type: "text_delta", contentIndex: 0, delta, partial });
  }
  stream.push({ type: "text_end", contentIndex: 0, content: said.text, partial });
  if (calls) {
    const toolCall = { type: "toolCall" as const, id: `call_${turn}`, name: NOOP, arguments: { n: turn } };
    partial.content.push(toolCall);
    stream.push({ type: "toolcall_start", contentIndex: 1, partial });
    stream.push({ type: "toolcall_delta", contentIndex: 1, delta: `{"n":${turn}}`, partial });
    stream.push({ type: "toolcall_end", contentIndex: 1, toolCall, partial });
  }
  const reason = calls ? "toolUse" : "stop";
  partial.stopReason = reason;
  stream.push({ type: "done", reason, message: partial });
  return stream;
}
