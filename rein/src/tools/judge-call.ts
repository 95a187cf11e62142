import { type ReinError, textOfThrown } from "../core/errors.ts";
import type { JsonObject } from "../core/json.ts";
import type { PendingCall, Verdict } from "../core/ports.ts";
import type { CallJudgement } from "../core/session/index.ts";
import { after, type Maybe, settled } from "./maybe.ts";
import { type Pipeline, type ReadyCall, readyCall, unjudgedDigest } from "./ready-call.ts";
import { realAccesses } from "./real-accesses.ts";
import { wellFormed } from "./result/well-formed.ts";
import { NO_STAGES } from "./stages.ts";

/** How often policies may change a call's arguments. Source: *The gate*, docs/architecture.md. */
const MOST_CHANGES = 3;

/** Finds, validates and gates a call, at once where nobody has to be waited for. Never fails. */
export function judgeCall(pipeline: Pipeline, call: PendingCall): Maybe<CallJudgement> {
  return judgeRound(pipeline, call, call.input, 0);
}

/** One way through the gate; arguments that a policy changed go through all of it again. */
function judgeRound(pipeline: Pipeline, call: PendingCall, input: JsonObject, changes: number): Maybe<CallJudgement> {
  return after(readyCall(pipeline, call, input, NO_STAGES, changes), (ready) => {
    if (!ready.ok) return denied(pipeline, call, ready.error, changes);
    return after(
      settled(() => pipeline.guard.judge(ready.value.toJudge)),
      (verdict): Maybe<CallJudgement> => {
        if (!verdict.ok) {
          return refused(
            pipeline,
            call,
            "gate",
            `The gate failed on this call, so it is not run: ${textOfThrown(verdict.thrown)}`,
          );
        }
        if (verdict.value.input === undefined) {
          const judgement = judged(ready.value, verdict.value);
          return input === call.input ? judgement : { ...judgement, input };
        }
        if (changes < MOST_CHANGES) return judgeRound(pipeline, call, verdict.value.input, changes + 1);
        return refused(
          pipeline,
          call,
          "gate",
          `Policies changed the arguments more than ${MOST_CHANGES} times without an end.`,
        );
      },
    );
  });
}

function judged(ready: ReadyCall, verdict: Verdict): CallJudgement {
  const { readOnly, recover } = ready.facts;
  const { decision, policy, reason, digest, effects, reals } = verdict;
  const accesses = realAccesses(ready.facts.accesses, ready.facts.effects, reals);
  return { decision, policy, reason, digest, effects, readOnly, recover, accesses };
}

function denied(pipeline: Pipeline, call: PendingCall, error: ReinError, changes: number): CallJudgement {
  const where = changes === 0 ? "" : "After a policy changed the arguments: ";
  const reason = `${error.code}: ${where}${error.message}\nWhat to try: ${error.hint}`;
  return refused(pipeline, call, error.code, reason);
}

/** A denial that is the pipeline's own. Its policy is the error code, so that the result can carry it as its type. */
function refused(pipeline: Pipeline, call: PendingCall, policy: string, reason: string): CallJudgement {
  return {
    decision: "deny",
    policy,
    reason: wellFormed(pipeline.redact.text(reason)).text,
    digest: unjudgedDigest(call),
    effects: [],
    readOnly: false,
    recover: "never",
    accesses: [],
  };
}
