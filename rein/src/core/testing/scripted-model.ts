/** A model that says what a script says, and records what it was asked. For tests of agents; no network, no chance. */
import { type ErrorCode, reinError } from "../errors.ts";
import { isDeeperThan, type JsonObject, MOST_JSON_DEPTH, textOfDeepJson } from "../json.ts";
import type { Block } from "../message/message.ts";
import type { Model, ModelCapabilities, ModelRequest, ModelStreamPart } from "../ports.ts";
import type { StopReason, Usage } from "../session/kernel-events.ts";

/** What the model says to one request. */
export interface ScriptedMessage {
  readonly thinking?: string;
  readonly text?: string;
  readonly calls?: readonly {
    readonly name: string;
    readonly input?: JsonObject;
    readonly id?: string;
    readonly malformed?: string;
  }[];
  /** Default: `tool_use` with calls, else `end`. */
  readonly stop?: StopReason;
  readonly usage?: Usage;
  /** Characters of a text delta; default the whole text at once. */
  readonly chunk?: number;
  /** Called before each text delta; a slow model awaits here. */
  readonly pace?: (signal: AbortSignal) => Promise<void>;
  /** Blocks in place of text and calls. */
  readonly content?: readonly Block[];
}

/** One step of a script. */
export type ScriptedStep =
  | ScriptedMessage
  | { readonly error: ErrorCode; readonly message?: string; readonly retryAfter?: number }
  /** The stream ends without its end, after this text. */
  | { readonly cut: string }
  /** Nothing more comes until the request is aborted. */
  | { readonly hang: string }
  | ((request: ModelRequest) => ScriptedStep);

/** A scripted model and what it saw. */
export interface ScriptedModel extends Model {
  /** Requests in the order they came. */
  readonly requests: readonly ModelRequest[];
  /** Steps that no request has used. */
  readonly unused: number;
  /** Throws when steps are left over or one was missing. Call it at the end of a test. */
  assertDone(): void;
}

const USAGE: Usage = { input: 100, output: 20 };

/**
 * Makes a scripted model. A request without a step left is answered by the error `model_script` and remembered for `assertDone`.
 * A function as the only argument answers every request.
 */
export function createScriptedModel(
  script: readonly ScriptedStep[] | ((request: ModelRequest) => ScriptedStep),
  options: { readonly id?: string; readonly capabilities?: Partial<ModelCapabilities>; readonly record?: boolean } = {},
): ScriptedModel {
  const requests: ModelRequest[] = [];
  const steps = typeof script === "function" ? null : [...script];
  let missing = 0;
  const nextStep = (request: ModelRequest): ScriptedStep => {
    if (typeof script === "function") return script(request);
    const step = steps?.shift();
    if (step !== undefined) return step;
    missing += 1;
    return { error: "model_script", message: `The script has no step for request ${requests.length}.` };
  };
  return {
    id: options.id ?? "scripted",
    requests,
    get unused() {
      return steps?.length ?? 0;
    },
    capabilities: () => ({ images: true, documents: true, parallelCalls: true, ...options.capabilities }),
    stream(request, signal) {
      if (options.record !== false) requests.push({ ...request, messages: [...request.messages] });
      let step = nextStep(request);
      while (typeof step === "function") step = step(request);
      return play(step, request, signal);
    },
    assertDone() {
      if (missing > 0) throw new Error(`The script had no step for ${missing} request(s).`);
      if (steps !== null && steps.length > 0) throw new Error(`${steps.length} step(s) of the script were not used.`);
    },
  };
}

async function* play(
  step: Exclude<ScriptedStep, (...args: never) => unknown>,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelStreamPart> {
  if ("error" in step) {
    const {
      class: kind,
      code,
      message,
      hint,
    } = reinError(step.error, step.message ?? `Scripted ${step.error}.`, "It stands in the script.");
    const retryAfter = step.retryAfter === undefined ? {} : { retryAfter: step.retryAfter };
    yield { type: "error", error: { class: kind, code, message, hint }, ...retryAfter };
    return;
  }
  if ("cut" in step || "hang" in step) {
    yield { type: "block_start", index: 0, block: "text" };
    yield { type: "text_delta", index: 0, text: "cut" in step ? step.cut : step.hang };
    if ("hang" in step) await aborted(signal);
    return;
  }
  const content = step.content ?? blocksOf(step, request);
  let index = 0;
  for (const block of content) {
    yield* deltas(block, index, step, signal);
    index += 1;
  }
  // Aborted in the middle: what is still missing never comes, and neither does the end.
  if (signal.aborted) return;
  const hasCalls = content.some((block) => block.type === "tool_use");
  yield {
    type: "done",
    content,
    stop: step.stop ?? (hasCalls ? "tool_use" : "end"),
    usage: step.usage ?? USAGE,
    vendor: "scripted",
  };
}

function blocksOf(step: ScriptedMessage, request: ModelRequest): readonly Block[] {
  const blocks: Block[] = [];
  if (step.thinking !== undefined) blocks.push({ type: "thinking", text: step.thinking });
  if (step.text !== undefined) blocks.push({ type: "text", text: step.text });
  for (const [place, call] of (step.calls ?? []).entries()) {
    const id = call.id ?? `t${request.trace.turn}_${place}`;
    const malformed = call.malformed === undefined ? {} : { malformed: call.malformed };
    blocks.push({ type: "tool_use", id, name: call.name, input: call.input ?? {}, ...malformed });
  }
  return blocks;
}

async function* deltas(
  block: Block,
  index: number,
  step: ScriptedMessage,
  signal: AbortSignal,
): AsyncGenerator<ModelStreamPart> {
  if (block.type === "text" || block.type === "thinking") {
    yield { type: "block_start", index, block: block.type };
    const size = step.chunk ?? Math.max(block.text.length, 1);
    for (let at = 0; at < block.text.length && !signal.aborted; at += size) {
      if (step.pace !== undefined) await step.pace(signal);
      const text = block.text.slice(at, at + size);
      yield block.type === "text" ? { type: "text_delta", index, text } : { type: "thinking_delta", index, text };
    }
    yield { type: "block_end", index };
  } else if (block.type === "tool_use") {
    yield { type: "block_start", index, block: "tool_use", id: block.id, name: block.name };
    yield { type: "input_delta", index, json: block.malformed ?? textOf(block.input) };
    yield { type: "block_end", index };
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** A script may hold arguments that no walk survives. */
function textOf(input: JsonObject): string {
  return isDeeperThan(input, MOST_JSON_DEPTH) ? textOfDeepJson(input) : JSON.stringify(input);
}
