import { isStoreFault, ReinFailure, textOfThrown } from "../../errors.ts";
import type { NewEvent } from "../../session/event.ts";
import type { Effect, EffectContext } from "../../session/part.ts";
import type { OpenCall } from "../../session/state.ts";
import { dataOf } from "../data-of.ts";
import { callContext } from "./call-context.ts";
import { finished, load, loadJudgement, loadPending, openCall } from "./call-data.ts";
import { closingText } from "./closing-text.ts";
import type { KernelPorts } from "./kernel-ports.ts";

/**
 * What became of a call that an earlier life began. Its processes are ended first. One that changes nothing runs again; one whose tool
 * can find out is looked into; every other has an outcome that nobody knows, and that is what the model is told.
 */
export async function recoverCall(
  ports: KernelPorts,
  effect: Effect,
  context: EffectContext,
): Promise<readonly NewEvent[]> {
  const call = openCall(effect, context);
  if (call === undefined) return [];
  const alive = await endSurvivors(ports, call, context);
  const recover = call.judgement?.recover;
  if (alive.length > 0) return [finished(effect, closingText(call, "unknown", { note: alive.join(" ") }))];
  if (recover === "rerun" || call.judgement?.readOnly === true) {
    return [{ type: "tool.requeued", data: { call: call.call } }];
  }
  return [
    (recover === "reconcile" ? await reconcile(ports, effect, context) : null) ??
      finished(effect, closingText(call, "unknown")),
  ];
}

/** What the tool finds; null when it cannot tell, whatever keeps it from telling. */
async function reconcile(ports: KernelPorts, effect: Effect, context: EffectContext): Promise<NewEvent | null> {
  const call = openCall(effect, context);
  try {
    const pending = await loadPending(effect, context);
    const judgement = await loadJudgement(effect, context);
    const found = await ports.tools.reconcile(pending, judgement, callContext(effect, context));
    return found === null ? null : finished(effect, found);
  } catch (thrown) {
    if (thrown instanceof ReinFailure && isStoreFault(thrown.error)) throw thrown;
    const note = `Looking for its outcome failed: ${textOfThrown(thrown)}`;
    return call === undefined ? null : finished(effect, closingText(call, "unknown", { note }));
  }
}

/**
 * Ends what an earlier life's processes left running; says of each that could not be ended why. Throws where the log does not say which
 * they are: a call is not closed over a process that nobody looked for.
 */
async function endSurvivors(ports: KernelPorts, call: OpenCall, context: EffectContext): Promise<readonly string[]> {
  const alive: string[] = [];
  for (const seq of call.processes) {
    const identity = dataOf("process.started", await load(context, seq));
    if (identity === undefined) continue;
    try {
      const ended = await ports.hands.endSurvivors(identity);
      if (!ended.ok) alive.push(`Process ${identity.pid} of it could not be ended: ${ended.error.message}`);
    } catch (thrown) {
      alive.push(`A process of it could not be ended: ${textOfThrown(thrown)}`);
    }
  }
  return alive;
}
