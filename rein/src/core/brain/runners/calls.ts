/** Runners of what happens to a call: judged, asked about, run, closed. */
import { errorOfThrown, ReinFailure } from "../../errors.ts";
import { callKey } from "../../message/message.ts";
import type { CallContext, CallResult, PendingCall, ToolProgress } from "../../ports.ts";
import type { NewEvent } from "../../session/event.ts";
import type { CallJudgement, CallOutcome } from "../../session/kernel-events.ts";
import type { Effect, EffectContext, Runner } from "../../session/part.ts";
import type { OpenCall } from "../../session/state.ts";
import { closingText } from "./closing-text.ts";
import { dataOf, type KernelPorts } from "./kernel-ports.ts";

/** Judges a call: at once when nobody outside must be asked. */
export function judgeRunner(ports: KernelPorts): Runner {
  return {
    start: (effect, context, recent) => {
      const pending = pendingCall(effect, context, recent);
      if (pending === null) return { go: async () => judged(effect, await judgeLoaded(ports, effect, context)) };
      const judgement = ports.tools.judge(pending);
      return judgement instanceof Promise
        ? { go: async () => judged(effect, await judgement) }
        : { outcome: judged(effect, judgement) };
    },
  };
}

async function judgeLoaded(ports: KernelPorts, effect: Effect, context: EffectContext): Promise<CallJudgement> {
  return ports.tools.judge(await loadPending(effect, context));
}

function judged(effect: Effect, judgement: CallJudgement): readonly NewEvent[] {
  return [{ type: "call.judged", data: { call: callOf(effect), ...judgement } }];
}

/** Asks a person. The request shows exactly what an approval is bound to. */
export function askRunner(): Runner {
  const asked = (effect: Effect, pending: PendingCall, digest: string): readonly NewEvent[] => [
    {
      type: "approval.requested",
      data: { call: callOf(effect), digest, shows: `${pending.name} ${JSON.stringify(pending.input)}` },
    },
  ];
  return {
    start: (effect, context, recent) => {
      const pending = pendingCall(effect, context, recent);
      const digest = openCall(effect, context)?.judgement?.digest ?? "";
      if (pending !== null) return { outcome: asked(effect, pending, digest) };
      return { go: async () => asked(effect, await loadPending(effect, context), digest) };
    },
  };
}

/** Gives a call that does not run its result: denied, interrupted, cut. */
export function closeRunner(): Runner {
  return {
    start: (effect, context, recent) => {
      const outcome = outcomeOf(effect);
      const call = openCall(effect, context);
      const close = (reason: unknown, note: unknown): readonly NewEvent[] => [
        finished(
          effect,
          closingText(
            call?.name ?? "",
            outcome,
            call,
            dataOf("call.judged", reason),
            dataOf("approval.answered", note),
          ),
        ),
      ];
      const reason = call?.judged === null || call === undefined ? null : recent(call.judged);
      const note = call?.answered === null || call === undefined ? null : recent(call.answered);
      if (reason !== undefined && note !== undefined) return { outcome: close(reason, note) };
      return {
        go: async () =>
          close(await loadMaybe(context, call?.judged ?? null), await loadMaybe(context, call?.answered ?? null)),
      };
    },
  };
}

function outcomeOf(effect: Effect): CallOutcome {
  const outcome = effect.input["outcome"];
  return outcome === "denied" || outcome === "cancelled" ? outcome : "interrupted";
}

/** Runs a call, and after a crash says what became of it. */
export function callRunner(ports: KernelPorts): Runner {
  return {
    start: (effect, context) => {
      const attempt = (openCall(effect, context)?.attempt ?? 0) + 1;
      return {
        intent: [{ type: "tool.started", data: { call: callOf(effect), attempt } }],
        go: () => runCall(ports, effect, context),
      };
    },
    recover: (effect, context) => recoverCall(ports, effect, context),
  };
}

async function runCall(ports: KernelPorts, effect: Effect, context: EffectContext): Promise<readonly NewEvent[]> {
  const started = context.clock.monotonic();
  const result = await execute(ports, effect, context);
  return [finished(effect, result, context.clock.monotonic() - started)];
}

async function execute(ports: KernelPorts, effect: Effect, context: EffectContext): Promise<CallResult> {
  try {
    const { pending, judgement, approved } = await loadJudged(effect, context);
    return await ports.tools.execute(pending, judgement, approved, callContext(effect, context));
  } catch (thrown) {
    const error = errorOfThrown(thrown, "tool_failed", "This is a fault of the tool's adapter, not of the arguments.");
    return {
      outcome: "error",
      errorType: error.code,
      content: [{ type: "text", text: `${error.message} ${error.hint}` }],
    };
  }
}

async function recoverCall(ports: KernelPorts, effect: Effect, context: EffectContext): Promise<readonly NewEvent[]> {
  const call = openCall(effect, context);
  if (call === undefined) return [];
  const survived = await endSurvivors(ports, call, context);
  const recover = call.judgement?.recover;
  if (survived === null && (recover === "rerun" || call.judgement?.readOnly === true)) {
    return [{ type: "tool.requeued", data: { call: call.call } }];
  }
  if (recover === "reconcile") {
    const { pending, judgement } = await loadJudged(effect, context);
    const found = await ports.tools.reconcile(pending, judgement, callContext(effect, context));
    if (found !== null) return [finished(effect, found)];
  }
  const note = survived === null ? "" : ` ${survived}`;
  return [finished(effect, closingText(call.name, "unknown", call, undefined, undefined, note))];
}

/** Ends what an earlier life's processes left running; null, or why that could not be done. */
async function endSurvivors(ports: KernelPorts, call: OpenCall, context: EffectContext): Promise<string | null> {
  for (const seq of call.processes) {
    const identity = dataOf("process.started", await loadMaybe(context, seq));
    if (identity === undefined) continue;
    const ended = await ports.hands.endSurvivors(identity);
    if (!ended.ok) return `Process ${identity.pid} of it could not be ended: ${ended.error.message}`;
  }
  return null;
}

function callContext(effect: Effect, context: EffectContext): CallContext {
  const call = callOf(effect);
  return {
    signal: context.signal,
    announce: (identity) => context.append([{ type: "process.started", data: { call, ...identity } }]),
    progress: (part) => void context.emit(progressPart(call, part)),
  };
}

function progressPart(call: string, part: ToolProgress) {
  if (part.kind === "output") return { type: "tool_progress", call, kind: "output", text: part.text } as const;
  const total = part.total === undefined ? {} : { total: part.total };
  return { type: "tool_progress", call, kind: "step", text: part.status, step: part.step, ...total } as const;
}

function finished(effect: Effect, result: CallResult, duration = 0): NewEvent {
  const { blobs, ...data } = result;
  const event = { type: "tool.finished", data: { call: callOf(effect), duration, ...data } };
  return blobs === undefined ? event : { ...event, blobs };
}

function callOf(effect: Effect): string {
  return String(effect.input["call"]);
}

function openCall(effect: Effect, context: EffectContext): OpenCall | undefined {
  return context.state().kernel.open?.calls.find((call) => call.call === callOf(effect));
}

function pendingCall(effect: Effect, context: EffectContext, recent: (seq: number) => unknown): PendingCall | null {
  const open = context.state().kernel.open;
  return open === null ? null : pendingFrom(effect, context, recent(open.seq));
}

function pendingFrom(effect: Effect, context: EffectContext, data: unknown): PendingCall | null {
  const { open, settings, captured } = context.state().kernel;
  const responded = dataOf("model.responded", data);
  if (open === null || settings === null || responded === undefined) return null;
  const call = callOf(effect);
  const block = responded.content.find((_, index) => callKey(open.seq, index) === call);
  if (block?.type !== "tool_use") return null;
  const malformed = block.malformed === undefined ? {} : { malformed: block.malformed };
  return {
    session: context.session,
    call,
    name: block.name,
    input: block.input,
    settings,
    offered: captured.offered,
    ...malformed,
  };
}

async function loadPending(effect: Effect, context: EffectContext): Promise<PendingCall> {
  const open = context.state().kernel.open;
  const pending = open === null ? null : pendingFrom(effect, context, await loadMaybe(context, open.seq));
  if (pending === null)
    throw new Error(`The message of call ${callOf(effect)} is not there any more (erased, or the call is closed).`);
  return pending;
}

async function loadJudged(effect: Effect, context: EffectContext) {
  const call = openCall(effect, context);
  const pending = await loadPending(effect, context);
  const judgement = dataOf("call.judged", await loadMaybe(context, call?.judged ?? null));
  if (judgement === undefined) throw new Error(`Call ${callOf(effect)} has no judgement.`);
  return { pending, judgement, approved: call?.approved ?? null };
}

async function loadMaybe(context: EffectContext, seq: number | null): Promise<unknown> {
  if (seq === null) return null;
  const loaded = await context.load(seq);
  if (!loaded.ok) throw new ReinFailure(loaded.error);
  return loaded.value;
}
