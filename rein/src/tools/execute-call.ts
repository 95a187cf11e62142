import { errorOfThrown, type ReinError, type Result } from "../core/errors.ts";
import type { Permit } from "../core/permit.ts";
import type { CallContext, CallResult, CallToJudge, PendingCall } from "../core/ports.ts";
import type { CallJudgement, CallOutcome } from "../core/session/index.ts";
import { type StopSignal, stopOf } from "../core/stop-signal.ts";
import { LazyToolContext } from "./lazy-tool-context.ts";
import { permittedHands } from "./permitted-hands.ts";
import { type Pipeline, type ReadyCall, readyCall } from "./ready-call.ts";
import { redactedProgress } from "./redacted-progress.ts";
import { failureOfThrown } from "./result/failure-of-thrown.ts";
import type { Failure } from "./result/failure-text.ts";
import { processResult, type RawResult } from "./result/process-result.ts";
import { type HandlerEnd, runHandler } from "./run-handler.ts";
import { type StageTimer, startStages } from "./stages.ts";
import type { ToolContext } from "./tool-context.ts";

/** Executes a judged call through all six stages. Never fails: whatever goes wrong is a result that says so. */
export async function executeCall(
  pipeline: Pipeline,
  call: PendingCall,
  judgement: CallJudgement,
  approved: string | null,
  context: CallContext,
): Promise<CallResult> {
  const timer = startStages(pipeline.clock);
  const input = judgement.input ?? call.input;
  const ready = await readyCall(pipeline, call, input, timer);
  if (!ready.ok) return finish(pipeline, call, { value: undefined, failure: failureOf(ready.error) }, timer);

  const permits = await admit(pipeline, ready.value.toJudge, approved);
  timer.end("permission");
  if (!permits.ok) {
    return finish(pipeline, call, { value: undefined, failure: failureOf(permits.error), failedAs: "denied" }, timer);
  }

  const { facts, prepared, tool } = ready.value;
  const end = await run(pipeline, ready.value, permits.value, context, facts.timeout, prepared.run);
  timer.end("execute");
  return finish(pipeline, call, rawResult(end, ready.value), timer, tool.limit);
}

/**
 * Asks a tool what became of a call that a crash interrupted. Its hands may only read what the call would have touched.
 * Null when the tool cannot tell, whatever keeps it from telling.
 */
export async function reconcileCall(
  pipeline: Pipeline,
  call: PendingCall,
  judgement: CallJudgement,
  context: CallContext,
): Promise<CallResult | null> {
  const timer = startStages(pipeline.clock);
  const ready = await readyCall(pipeline, call, judgement.input ?? call.input, timer);
  if (!ready.ok || ready.value.facts.recover !== "reconcile") return null;
  const { facts, prepared, tool, toJudge } = ready.value;
  const effects = facts.effects.flatMap((effect) => {
    if (effect.kind === "read" || effect.kind === "read-tree") return [effect];
    return effect.kind === "write" ? [{ kind: "read", path: effect.path } as const] : [];
  });
  const permits = await admit(pipeline, { ...toJudge, effects, readOnly: true }, null);
  timer.end("permission");
  if (!permits.ok) return null;
  const end = await run(pipeline, ready.value, permits.value, context, facts.timeout, prepared.reconcile);
  timer.end("execute");
  if (end.how !== "returned" || end.value === undefined || end.value === null) return null;
  return finish(pipeline, call, { value: end.value }, timer, tool.limit);
}

async function admit(
  pipeline: Pipeline,
  toJudge: CallToJudge,
  approved: string | null,
): Promise<Result<readonly Permit[]>> {
  try {
    return await pipeline.guard.admit(toJudge, approved);
  } catch (thrown) {
    const hint = "The gate failed, so the call was not run. Do something else, or tell the user.";
    return { ok: false, error: errorOfThrown(thrown, "tool_denied", hint) };
  }
}

async function run(
  pipeline: Pipeline,
  { tool, toJudge }: ReadyCall,
  permits: readonly Permit[],
  context: CallContext,
  timeout: number,
  handler: (context: ToolContext) => Promise<unknown>,
): Promise<HandlerEnd> {
  const { clock, hands, limits } = pipeline;
  const { folder, session, call } = toJudge;
  const stop = stopOf(context);
  if (stop.aborted) return { how: "interrupted", value: undefined };
  const progress = redactedProgress(context.progress, pipeline.redact);
  const began = clock.monotonic();
  const handle = (own: StopSignal): Promise<unknown> => {
    const permitted = permittedHands({
      hands,
      permits,
      folder,
      tool: tool.name,
      stop: own,
      timeout,
      announce: context.announce,
      onOutput: (stream, text) => progress.push({ kind: "output", stream, text }),
    });
    const limit = tool.limit ?? limits.inline;
    const elapsed = (): number => clock.monotonic() - began;
    return handler(
      new LazyToolContext({ session, call, folder, limit, elapsed, progress: progress.push, hands: permitted }, own),
    );
  };
  const end = await runHandler(handle, { clock, stop, timeout, grace: limits.grace });
  progress.end();
  return end;
}

function rawResult(end: HandlerEnd, { facts }: ReadyCall): RawResult {
  const unsure = facts.readOnly ? "" : " It may have taken effect in part: check before you call it again.";
  switch (end.how) {
    case "returned":
      return { value: end.value };
    case "threw":
      return { value: undefined, failure: failureOfThrown(end.thrown) };
    case "timeout": {
      const message = `It did not end within ${facts.timeout} ms and was stopped.`;
      return stopped(end.value, { type: "tool_timeout", message, hint: `Ask for less at a time.${unsure}` }, "error");
    }
    case "interrupted": {
      const hint = `Go on only if the user still wants it.${unsure}`;
      return stopped(
        end.value,
        { type: "interrupted", message: "It was interrupted before it ended.", hint },
        "interrupted",
      );
    }
  }
}

function stopped(value: unknown, failure: Failure, failedAs: CallOutcome): RawResult {
  return { value, failure, failedAs };
}

function failureOf(error: ReinError): Failure {
  return { type: error.code, message: error.message, hint: error.hint };
}

/** The stages process and persist. */
function finish(pipeline: Pipeline, call: PendingCall, raw: RawResult, timer: StageTimer, limit?: number): CallResult {
  const { redact, limits } = pipeline;
  const processed = processResult(raw, {
    tool: call.name,
    session: call.session,
    redact,
    limits: { inline: limit ?? limits.inline, hard: limits.hard },
  });
  timer.end("process");
  timer.end("persist");
  const stages = timer.stages();
  if (processed.outcome === "ok" && processed.blob === undefined) {
    return { outcome: "ok", content: processed.content, stages };
  }
  const { blob, ...result } = processed;
  return { ...result, ...(blob === undefined ? {} : { blobs: [blob] }), stages };
}
