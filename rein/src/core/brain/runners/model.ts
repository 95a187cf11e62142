/** The runner of a model call: renders the prompt, streams the message, keeps partial text, and says how it ended. */
import type { ReinError, Result } from "../../errors.ts";
import { errorOfThrown, fail, ok, reinError } from "../../errors.ts";
import { isJsonObject, type JsonValue, parseJson } from "../../json.ts";
import type { Block } from "../../message/message.ts";
import type { ModelRequest, ModelStreamPart, Redact, ToolSchema } from "../../ports.ts";
import type { NewEvent } from "../../session/event.ts";
import type { EventError } from "../../session/kernel-events.ts";
import type { EffectContext, Runner } from "../../session/part.ts";
import { Prompt } from "../prompt.ts";
import type { KernelPorts } from "./kernel-ports.ts";
import { PartialText } from "./partial-text.ts";

/** First wait after a transient failure, doubled with each, milliseconds. Source: `back-off`, docs/architecture.md. */
const BACK_OFF = 1_000;
const LONGEST_BACK_OFF = 60_000;
/** Most added at random. */
const JITTER = 1_000;

interface Head {
  readonly system: string;
  readonly tools: readonly ToolSchema[];
}

interface Attempt {
  readonly turn: number;
  readonly attempt: number;
  readonly model: string;
  readonly escalated: boolean;
}

/** Makes the runner; it remembers the rendered prompt of its session. */
export function modelRunner(ports: KernelPorts, blob: (hash: string) => Promise<Result<Uint8Array | null>>): Runner {
  const prompt = new Prompt();
  let head: (Head & { readonly key: string }) | null = null;

  async function loadHead(context: EffectContext): Promise<Result<Head>> {
    const { system, tools } = context.state().kernel.captured;
    const key = `${system} ${tools}`;
    if (head?.key === key) return ok(head);
    const texts: string[] = [];
    for (const hash of [system, tools]) {
      const bytes = hash === null ? ok(null) : await blob(hash);
      if (!bytes.ok) return bytes;
      if (bytes.value === null)
        return fail(
          "store_damaged",
          "The captured head of the prompt is missing.",
          "Run `rein verify`; restore the session from an export.",
        );
      texts.push(Buffer.from(bytes.value).toString("utf8"));
    }
    const schemas = toolSchemas(texts[1] ?? "[]");
    if (!schemas.ok) return schemas;
    head = { key, system: texts[0] ?? "", tools: schemas.value };
    return ok(head);
  }

  async function go(attempt: Attempt, context: EffectContext): Promise<readonly NewEvent[]> {
    const started = context.clock.monotonic();
    const loaded = await loadHead(context);
    if (!loaded.ok) return [failed(attempt, context, started, loaded)];
    const messages = await prompt.render(context.state().kernel, context.load);
    if (!messages.ok) return [failed(attempt, context, started, messages)];
    const limit = attempt.escalated ? ports.maxOutput?.raised : ports.maxOutput?.normal;
    const request: ModelRequest = {
      model: attempt.model,
      system: loaded.value.system,
      tools: loaded.value.tools,
      messages: messages.value,
      ...(limit !== undefined && { maxOutput: limit }),
      trace: { session: context.session, turn: attempt.turn, attempt: attempt.attempt },
    };
    return [await stream(ports, attempt, request, context, started)];
  }

  return {
    start: (effect, context) => {
      const attempt = attemptOf(effect.input);
      const { transition, takes } = effect.input;
      return {
        intent: [{ type: "model.requested", data: { ...attempt, transition, takes } }],
        go: () => go(attempt, context),
      };
    },
    recover: async (effect, context) => [
      { type: "model.interrupted", data: { turn: effect.input["turn"], text: context.saved ?? "", by: "crash" } },
    ],
  };
}

function attemptOf(input: Readonly<Record<string, JsonValue>>): Attempt {
  return {
    turn: Number(input["turn"]),
    attempt: Number(input["attempt"]),
    model: String(input["model"]),
    escalated: input["escalated"] === true,
  };
}

function toolSchemas(text: string): Result<readonly ToolSchema[]> {
  const parsed = parseJson(text, "The captured tool list");
  if (!parsed.ok) return parsed;
  const schemas: ToolSchema[] = [];
  for (const entry of Array.isArray(parsed.value) ? parsed.value : []) {
    if (!isJsonObject(entry) || !isJsonObject(entry["input"])) continue;
    schemas.push({ name: String(entry["name"]), description: String(entry["description"]), input: entry["input"] });
  }
  return ok(schemas);
}

/** Reads the stream to its end, or leaves it soon after the abort even when the model does not listen. */
async function stream(
  ports: KernelPorts,
  attempt: Attempt,
  request: ModelRequest,
  context: EffectContext,
  started: number,
): Promise<NewEvent> {
  const partial = new PartialText(context);
  const reading = read(ports, attempt, request, context, started, partial);
  const outcome = await Promise.race([reading, abandoned(context)]);
  const text = partial.close();
  if (outcome !== null && !(context.signal.aborted && outcome.type === "model.failed")) return outcome;
  return { type: "model.interrupted", data: { turn: attempt.turn, text, by: "interrupt" } };
}

/** How long a model may take to end after the abort, milliseconds. */
const ABORT_GRACE = 100;

function abandoned(context: EffectContext): Promise<null> {
  return new Promise((resolve) => {
    const leave = (): void => void context.clock.sleep(ABORT_GRACE).then(() => resolve(null));
    if (context.signal.aborted) leave();
    else context.signal.addEventListener("abort", leave, { once: true });
  });
}

async function read(
  ports: KernelPorts,
  attempt: Attempt,
  request: ModelRequest,
  context: EffectContext,
  started: number,
  partial: PartialText,
): Promise<NewEvent | null> {
  const filter = ports.redact.active ? ports.redact.stream() : null;
  try {
    for await (const part of ports.model.stream(request, context.signal)) {
      if (partial.closed) return null;
      if (part.type === "done") {
        flushFilter(filter, attempt.turn, context, partial);
        return responded(part, attempt, context, started, ports.redact);
      }
      if (part.type === "error") return failed(attempt, context, started, part);
      const waiting = forward(part, attempt.turn, context, partial, filter);
      if (waiting !== undefined) await waiting;
    }
  } catch (thrown) {
    const error = errorOfThrown(
      thrown,
      "model_protocol",
      "The model's adapter threw; it should yield an `error` part instead.",
    );
    return failed(attempt, context, started, { error });
  }
  if (context.signal.aborted) return null;
  const error = reinError(
    "model_stream_cut",
    "The model's stream ended without its end.",
    "It is tried again; if it goes on, check the connection.",
  );
  return failed(attempt, context, started, { error });
}

function forward(
  part: Exclude<ModelStreamPart, { type: "done" | "error" }>,
  turn: number,
  context: EffectContext,
  partial: PartialText,
  filter: ReturnType<Redact["stream"]> | null,
): void | Promise<void> {
  const block = "index" in part ? part.index : 0;
  switch (part.type) {
    case "text_delta": {
      const text = filter === null ? part.text : filter.push(part.text);
      if (text === "") return undefined;
      partial.add(text);
      return context.emit({ type: "text_delta", turn, block, text });
    }
    case "thinking_delta":
      // Held back while secrets are known: thinking is shown whole in the message, already redacted.
      return filter === null ? context.emit({ type: "thinking_delta", turn, block, text: part.text }) : undefined;
    case "input_delta":
      return filter === null ? context.emit({ type: "tool_input_delta", turn, block, json: part.json }) : undefined;
    case "block_start":
      if (part.block === "tool_use") {
        return context.emit({ type: "tool_use_start", turn, block, id: part.id ?? "", name: part.name ?? "" });
      }
      return context.emit({ type: "content_block_start", turn, block, blockType: part.block });
    case "block_end":
      flushFilter(filter, turn, context, partial);
      return context.emit({ type: "content_block_end", turn, block });
  }
}

function flushFilter(
  filter: ReturnType<Redact["stream"]> | null,
  turn: number,
  context: EffectContext,
  partial: PartialText,
): void {
  const rest = filter?.flush() ?? "";
  if (rest === "") return;
  partial.add(rest);
  void context.emit({ type: "text_delta", turn, block: 0, text: rest });
}

function responded(
  part: ModelStreamPart & { type: "done" },
  attempt: Attempt,
  context: EffectContext,
  started: number,
  redact: Redact,
): NewEvent {
  const content = redact.active ? part.content.filter((block) => !hidesSecret(block, redact)) : part.content;
  const duration = context.clock.monotonic() - started;
  const vendor = part.vendor === undefined ? {} : { vendor: part.vendor };
  return {
    type: "model.responded",
    data: { turn: attempt.turn, content, stop: part.stop, usage: part.usage, duration, ...vendor },
  };
}

/** A signed block cannot be redacted without breaking its signature: it is dropped whole. */
function hidesSecret(block: Block, redact: Redact): boolean {
  return block.type === "thinking" && block.signature !== undefined && redact.text(block.text) !== block.text;
}

function failed(
  attempt: Attempt,
  context: EffectContext,
  started: number,
  part: { readonly error: ReinError | EventError; readonly retryAfter?: number },
): NewEvent {
  const { class: kind, code, message, hint } = part.error;
  const failures = context.state().kernel.model.failures;
  const wait = Math.min(BACK_OFF * 2 ** failures, LONGEST_BACK_OFF) + Math.floor(context.clock.random() * JITTER);
  const retryAfter = kind === "transient" ? { retryAfter: part.retryAfter ?? wait } : {};
  const duration = context.clock.monotonic() - started;
  return {
    type: "model.failed",
    data: {
      turn: attempt.turn,
      attempt: attempt.attempt,
      error: { class: kind, code, message, hint },
      ...retryAfter,
      duration,
    },
  };
}
