import { fail, type Result, reinError, unwrap } from "../../core/errors.ts";
import { type Block, type Message, textOf } from "../../core/message/index.ts";
import type { Clock, Model, ModelRequest, ModelStreamPart } from "../../core/ports.ts";
import { aboutPlaybook } from "./about-playbook.ts";
import { bundledPlaybooks } from "./bundled-playbooks.ts";
import { estimateUsage } from "./estimate-usage.ts";
import type { Playbook, Said } from "./playbook.ts";
import { readConversation } from "./read-conversation.ts";
import { streamBlocks } from "./stream-blocks.ts";

/** The id under which the model is found; also the vendor of what it writes. */
export const REHEARSAL_ID = "rehearsal";

/** What the model says first in every conversation. */
export const INTRODUCTION =
  "I am Rein's rehearsal model. I am rule-based and no language model: fixed rules look at this conversation and at what the tools return.";

/** How a rehearsal model behaves. */
export interface RehearsalOptions {
  /** Milliseconds of rest before each delta, so that one can interrupt or kill a run in the middle; default 0. Above 0 it needs `clock`. */
  readonly delayMs?: number | undefined;
  readonly clock?: Pick<Clock, "sleep"> | undefined;
  /** Tried in this order, before the answer that says what can be asked; default {@link bundledPlaybooks}. */
  readonly playbooks?: readonly Playbook[] | undefined;
}

/**
 * Makes the embedded model for a machine with no key and no network: rules over the conversation and the actual tool
 * results. It is no language model and says so first. An answer depends on nothing but `messages` and `tools` of the
 * request: equal requests get byte-equal answers, and a killed run goes on where its conversation stands. It streams
 * text and arguments in deltas, gives several calls in one message, ignores `maxOutput` (its answers are short), and
 * reports usage as an estimate that costs nothing. Throws `invalid_option` for a delay that is no number ≥ 0 or lacks
 * its clock; an abort and a playbook without an answer come as `error` parts.
 */
export function createRehearsalModel(options: RehearsalOptions = {}): Model {
  const rest = unwrap(checkedRest(options));
  const playbooks = options.playbooks ?? bundledPlaybooks;
  return {
    id: REHEARSAL_ID,
    capabilities: () => ({ images: false, documents: false, parallelCalls: true }),
    stream: (request, signal) => streamAnswer(request, signal, playbooks, rest),
  };
}

async function* streamAnswer(
  request: ModelRequest,
  signal: AbortSignal,
  playbooks: readonly Playbook[],
  rest: Rest,
): AsyncGenerator<ModelStreamPart> {
  const answer = answerTo(request, playbooks);
  if (!answer.ok) {
    const { class: kind, code, message, hint } = answer.error;
    yield { type: "error", error: { class: kind, code, message, hint } };
    return;
  }
  for (const part of streamBlocks(answer.value)) {
    if (rest !== undefined) await rest(signal);
    if (signal.aborted) {
      const {
        class: kind,
        code,
        message,
        hint,
      } = reinError("aborted", "The rehearsal model was interrupted.", "Resume to go on.");
      yield { type: "error", error: { class: kind, code, message, hint } };
      return;
    }
    yield part;
  }
  const calls = answer.value.some((block) => block.type === "tool_use");
  yield {
    type: "done",
    content: answer.value,
    stop: calls ? "tool_use" : "end",
    usage: estimateUsage(request, answer.value),
    vendor: REHEARSAL_ID,
  };
}

function answerTo(request: ModelRequest, playbooks: readonly Playbook[]): Result<readonly Block[]> {
  const playbookOf = (text: string): Playbook | undefined => playbooks.find((playbook) => playbook.asks(text));
  const conversation = readConversation(request, (text) => playbookOf(text)?.name);
  const playbook = playbookOf(conversation.task) ?? aboutPlaybook(playbooks);
  const said = playbook.rules.find((rule) => rule.when(conversation))?.respond(conversation) ?? [];
  if (said.length === 0) {
    const hint = "Give it a last rule that always holds and answers with a block.";
    return fail("model_script", `No rule of the playbook \`${playbook.name}\` answers here.`, hint);
  }
  const introduced = request.messages.some(
    ({ role, content }) => role === "assistant" && textOf(content).includes(INTRODUCTION),
  );
  const first: readonly Said[] = introduced ? [] : [{ type: "text", text: INTRODUCTION }];
  return { ok: true, value: toBlocks([...first, ...said], callsIn(request.messages)) };
}

function toBlocks(said: readonly Said[], callsBefore: number): readonly Block[] {
  let number = callsBefore;
  return said.map((one): Block => {
    if (one.type === "text") return one;
    number += 1;
    return { type: "tool_use", id: `call_${number}`, name: one.tool, input: one.input };
  });
}

function callsIn(messages: readonly Message[]): number {
  let calls = 0;
  for (const { content } of messages) for (const block of content) if (block.type === "tool_use") calls += 1;
  return calls;
}

type Rest = ((signal: AbortSignal) => Promise<void>) | undefined;

function checkedRest({ delayMs = 0, clock }: RehearsalOptions): Result<Rest> {
  if (!Number.isFinite(delayMs) || delayMs < 0) {
    return fail("invalid_option", `delayMs is ${delayMs}.`, "Give milliseconds, 0 or more.");
  }
  if (delayMs === 0) return { ok: true, value: undefined };
  if (clock === undefined) {
    return fail(
      "invalid_option",
      "delayMs is given without a clock.",
      "Give `clock` too: its `sleep` does the waiting.",
    );
  }
  return { ok: true, value: (signal) => clock.sleep(delayMs, signal) };
}
