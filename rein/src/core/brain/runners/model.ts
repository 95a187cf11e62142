/** The runner of a model call: renders the prompt, streams the message, keeps partial text, and says how it ended. */
import { errorOfThrown, type ReinError, reinError } from "../../errors.ts";
import type { JsonObject } from "../../json.ts";
import type { Block } from "../../message/message.ts";
import type { ModelRequest, ModelStreamPart, Redact } from "../../ports.ts";
import type { NewEvent } from "../../session/event.ts";
import type { EventError } from "../../session/kernel-events.ts";
import type { EffectContext, Runner } from "../../session/part.ts";
import type { Stage } from "../../session/stream.ts";
import { stopOf } from "../../stop-signal.ts";
import { breathing } from "../breath.ts";
import { endOrAbandon } from "../end-or-abandon.ts";
import { Prompt } from "../prompt.ts";
import type { Recent } from "./call-data.ts";
import type { KernelPorts } from "./kernel-ports.ts";
import { MessageReader } from "./message-reader.ts";
import { ownContent, soundError, soundUsage, soundWait } from "./model-end.ts";
import { type LoadBlob, PromptHead } from "./prompt-head.ts";
import { retryWait } from "./retry-wait.ts";

/** How long a model may take to end after the abort, milliseconds. */
const ABORT_GRACE = 100;

/** Parts between two looks at whether it is time to let others have their turn. */
const PARTS_A_LOOK = 256;

interface Attempt {
  readonly turn: number;
  readonly attempt: number;
  readonly model: string;
  readonly escalated: boolean;
}

/** What one request works with. */
interface Call {
  readonly ports: KernelPorts;
  readonly attempt: Attempt;
  readonly context: EffectContext;
  readonly recent: Recent;
  /** Monotonic clock at its start. */
  readonly started: number;
}

/** Makes the runner; it remembers the rendered prompt of its session. */
export function modelRunner(ports: KernelPorts, blob: LoadBlob): Runner {
  const prompt = new Prompt();
  const head = new PromptHead(blob);

  async function ask(call: Call): Promise<NewEvent> {
    const { attempt, context } = call;
    const { kernel } = context.state();
    if (isLinear(call)) await stage(call, "context");
    const loaded = await head.load(kernel);
    if (!loaded.ok) return failed(call, loaded);
    const messages = await prompt.render(kernel, context.load, call.recent);
    if (!messages.ok) return failed(call, messages);
    if (stopOf(context).aborted) return interrupted(attempt, "");
    const limit = attempt.escalated ? ports.maxOutput?.raised : ports.maxOutput?.normal;
    if (isLinear(call)) await stage(call, "inference");
    return stream(call, {
      model: attempt.model,
      system: loaded.value.system,
      tools: loaded.value.tools,
      messages: messages.value,
      ...(limit !== undefined && { maxOutput: limit }),
      trace: { session: context.session, turn: attempt.turn, attempt: attempt.attempt },
    });
  }

  return {
    start: (effect, context, recent) => {
      const attempt = attemptOf(effect.input);
      const { turn, attempt: number, model, escalated } = attempt;
      const { transition = null, takes = [] } = effect.input;
      return {
        intent: [{ type: "model.requested", data: { turn, attempt: number, model, escalated, transition, takes } }],
        go: async () => {
          const call: Call = { ports, attempt, context, recent, started: context.clock.monotonic() };
          try {
            return [await ask(call)];
          } catch (thrown) {
            const hint = "The prompt could not be made from the log; please report it with the session's export.";
            return [failed(call, { error: errorOfThrown(thrown, "internal", hint) })];
          }
        },
      };
    },
    recover: async (effect, context) => [
      { type: "model.interrupted", data: { turn: effect.input.turn, text: context.saved ?? "", by: "crash" } },
    ],
  };
}

function attemptOf(input: JsonObject): Attempt {
  return {
    turn: Number(input.turn),
    attempt: Number(input.attempt),
    model: String(input.model),
    escalated: input.escalated === true,
  };
}

/** In linear mode the trace says where the turn is (R1.5). */
function isLinear({ context }: Call): boolean {
  return context.state().kernel.settings?.linear === true;
}

async function stage({ context, attempt: { turn } }: Call, name: Stage): Promise<void> {
  await context.emit({ type: "stage", stage: name, turn });
}

/** Reads the stream to its end, or leaves it soon after the abort even when the model does not listen. */
async function stream(call: Call, request: ModelRequest): Promise<NewEvent> {
  const { ports, attempt, context } = call;
  const reader = new MessageReader(context, ports.redact, attempt.turn);
  const outcome = await endOrAbandon(read(call, request, reader), context, ABORT_GRACE);
  const text = reader.close();
  if (outcome !== null && !(context.signal.aborted && outcome.type === "model.failed")) return outcome;
  return interrupted(attempt, text);
}

async function read(call: Call, request: ModelRequest, reader: MessageReader): Promise<NewEvent | null> {
  const { ports, context } = call;
  const { signal } = context;
  let first = isLinear(call);
  let parts = 0;
  const breath = breathing(context.clock);
  try {
    for await (const part of ports.model.stream(request, signal)) {
      if (reader.closed) return null;
      if (first) await stage(call, "streaming");
      first = false;
      if (part.type === "done") return ended(call, part);
      if (part.type === "error") return failed(call, part);
      const room = reader.take(part);
      if (room !== undefined) await room;
      parts += 1;
      if (parts % PARTS_A_LOOK === 0) await breath();
    }
  } catch (thrown) {
    const hint = "The model's adapter threw; it should yield an `error` part instead.";
    return failed(call, { error: errorOfThrown(thrown, "model_protocol", hint) });
  }
  if (signal.aborted) return null;
  const hint = "It is tried again; if it goes on, check the connection.";
  return failed(call, { error: reinError("model_stream_cut", "The model's stream ended without its end.", hint) });
}

function ended(call: Call, part: ModelStreamPart & { type: "done" }): NewEvent {
  const own = ownContent(part);
  if (own.ok) return responded(call, part, own.content);
  const hint = "The model's adapter is at fault; nothing of the message was kept.";
  return failed(call, { error: reinError("model_protocol", `The model's end cannot be read: ${own.fault}.`, hint) });
}

function responded(
  { ports, attempt, context, started }: Call,
  { stop, vendor, usage: said }: ModelStreamPart & { type: "done" },
  blocks: readonly Block[],
): NewEvent {
  const usage = soundUsage(said);
  const { redact } = ports;
  const content = redact.active ? blocks.filter((block) => !hidesSecret(block, redact)) : blocks;
  const duration = context.clock.monotonic() - started;
  const data = { turn: attempt.turn, content, stop, usage, duration };
  return { type: "model.responded", data: typeof vendor === "string" ? { ...data, vendor } : data };
}

/** A signed block cannot be redacted without breaking its signature: it is dropped whole. */
function hidesSecret(block: Block, redact: Redact): boolean {
  return block.type === "thinking" && block.signature !== undefined && redact.text(block.text) !== block.text;
}

function interrupted({ turn }: Attempt, text: string): NewEvent {
  return { type: "model.interrupted", data: { turn, text, by: "interrupt" } };
}

function failed(
  { attempt: { turn, attempt }, context, started }: Call,
  part: { readonly error: ReinError | EventError; readonly retryAfter?: number },
): NewEvent {
  const error = soundError(part.error);
  const { class: kind, code } = error;
  const wait = soundWait(part.retryAfter) ?? retryWait(code, context.state().kernel.model.failures, context.clock);
  const retryAfter = kind === "transient" ? { retryAfter: wait } : {};
  const duration = context.clock.monotonic() - started;
  return {
    type: "model.failed",
    data: { turn, attempt, error, ...retryAfter, duration },
  };
}
