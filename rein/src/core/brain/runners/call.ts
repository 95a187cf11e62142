import { errorOfThrown } from "../../errors.ts";
import type { CallResult } from "../../ports.ts";
import type { NewEvent } from "../../session/event.ts";
import type { Effect, EffectContext, Runner } from "../../session/part.ts";
import { stopOf } from "../../stop-signal.ts";
import { endOrAbandon } from "../end-or-abandon.ts";
import { callContext } from "./call-context.ts";
import {
  callOf,
  finished,
  loadJudgement,
  loadPending,
  openCall,
  pendingCall,
  type Recent,
  recentJudgement,
} from "./call-data.ts";
import { closingText } from "./closing-text.ts";
import type { KernelPorts } from "./kernel-ports.ts";
import { recoverCall } from "./recover-call.ts";

/** How long a tool may take to end after it was told to, milliseconds; more than the tools room gives a handler. */
const ABORT_GRACE = 10_000;

/** Runs a call, and after a crash says what became of it. */
export function callRunner(ports: KernelPorts): Runner {
  return {
    start: (effect, context, recent) => {
      const call = openCall(effect, context);
      // It began and nobody says how it ended: whatever led here, it is not begun twice.
      if (call?.status === "started") return { outcome: [finished(effect, closingText(call, "unknown"))] };
      const attempt = (call?.attempt ?? 0) + 1;
      return {
        intent: [{ type: "tool.started", data: { call: callOf(effect), attempt } }],
        go: () => runCall(ports, effect, context, recent),
      };
    },
    recover: (effect, context) => recoverCall(ports, effect, context),
  };
}

async function runCall(
  ports: KernelPorts,
  effect: Effect,
  context: EffectContext,
  recent: Recent,
): Promise<readonly NewEvent[]> {
  const started = context.clock.monotonic();
  const result = await endOrAbandon(execute(ports, effect, context, recent), context, ABORT_GRACE);
  const duration = context.clock.monotonic() - started;
  return [finished(effect, result ?? abandoned(nameOf(effect, context)), duration)];
}

async function execute(
  ports: KernelPorts,
  effect: Effect,
  context: EffectContext,
  recent: Recent,
): Promise<CallResult> {
  try {
    const pending = pendingCall(effect, context, recent) ?? (await loadPending(effect, context));
    const call = openCall(effect, context);
    const judgement = recentJudgement(call, recent) ?? (await loadJudgement(effect, context));
    if (stopOf(context).aborted && call !== undefined) return closingText(call, "interrupted");
    return await ports.tools.execute(pending, judgement, call?.approved ?? null, callContext(effect, context));
  } catch (thrown) {
    const error = errorOfThrown(thrown, "tool_failed", "This is a fault of the tool's adapter, not of the arguments.");
    const text = `${nameOf(effect, context)}: ${error.code}. ${error.message} ${error.hint}`;
    return { outcome: "error", errorType: error.code, content: [{ type: "text", text }] };
  }
}

function nameOf(effect: Effect, context: EffectContext): string {
  return openCall(effect, context)?.name ?? "tool";
}

/** A tool that does not end when told to is left behind, and what it does is not known. */
function abandoned(name: string): CallResult {
  const what = "It was told to stop and did not; it may still be at work. Check what it did before you repeat it.";
  const text = `${name}: outcome_unknown. ${what}`;
  return { outcome: "unknown", errorType: "outcome_unknown", content: [{ type: "text", text }] };
}
