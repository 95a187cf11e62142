import { fail, ok, type Result, textOfThrown } from "../core/errors.ts";
import { canonicalJson } from "../core/json.ts";
import type { Permit, PermitOffice } from "../core/permit.ts";
import type { CallToJudge, Guard, Verdict } from "../core/ports.ts";
import { callDigest } from "./call-digest.ts";
import { type Combined, combine, type NamedAnswer } from "./combine.ts";
import { describePlace } from "./describe-place.ts";
import { type PathSources, prepareCall } from "./follow-paths.ts";
import { POLICIES } from "./policies/index.ts";
import type { Floor, JudgedCall, Policy, PolicyAnswer } from "./policy.ts";

/** What a guard is made of. */
export interface GuardOptions extends PathSources {
  /** The office whose permits this agent's hands accept. */
  readonly office: PermitOffice;
  /** Default: {@link POLICIES}. */
  readonly policies?: readonly Policy[];
  /** Judges last what will really run. Default: none. */
  readonly floor?: Floor;
}

/**
 * Makes the gate. It answers at once unless a path of the call has to be followed. Whatever goes wrong while a call is
 * judged is a denial.
 *
 * A verdict with `input` is never final: it says `deny` until the changed call has been judged, with `changes` one
 * higher. Permits are minted for the effects as the call declares them, bound to the real paths that were judged.
 */
export function createGuard(options: GuardOptions): Guard {
  const policies = options.policies ?? POLICIES;
  const { floor } = options;

  return {
    judge(call) {
      const digest = digestOf(call);
      if (!digest.ok) return deniedOutright(call, digest.error.message);
      const prepared = prepareCall(call, options);
      if (prepared instanceof Promise) {
        return prepared.then(
          (judged) => verdictOf(judged, digest.value, judgePrepared(judged, policies, floor, false)),
          (thrown: unknown) => deniedOutright(call, textOfThrown(thrown)),
        );
      }
      return verdictOf(prepared, digest.value, judgePrepared(prepared, policies, floor, false));
    },

    async admit(call, approved) {
      const digest = digestOf(call);
      if (!digest.ok) return digest;
      if (approved !== null && approved !== digest.value) {
        return fail(
          "tool_denied",
          "The call is not the one that was approved.",
          "Make the call again and have it approved.",
        );
      }
      try {
        const judged = await prepareCall(call, options);
        return permitsFor(judged, judgePrepared(judged, policies, floor, approved !== null), options.office);
      } catch (cause) {
        return fail("tool_denied", `The call can't be judged: ${textOfThrown(cause)}.`, "Make another call.", {
          cause,
        });
      }
    },
  };
}

function judgePrepared(
  call: JudgedCall,
  policies: readonly Policy[],
  floor: Floor | undefined,
  approved: boolean,
): Combined {
  const answers: NamedAnswer[] = [];
  for (const policy of policies) {
    const answer = answerOf(policy, call);
    if (answer !== undefined) answers.push({ policy: policy.name, grants: policy.grants, answer });
  }
  return combine(answers, {
    approved,
    canAsk: call.ask === "wait",
    changes: call.changes ?? 0,
    ungranted: () => `No rule allows to ${call.places.map(describePlace).join(", or to ")}.`,
    floor: () => floorReason(floor, call),
  });
}

function answerOf(policy: Policy, call: JudgedCall): PolicyAnswer | undefined {
  try {
    const answer = policy.judge(call);
    const unchanged = answer?.answer === "modify" && canonicalJson(answer.input) === canonicalJson(call.input);
    return unchanged ? undefined : answer;
  } catch (thrown) {
    return { answer: "deny", reason: `The policy ${policy.name} failed: ${textOfThrown(thrown)}` };
  }
}

function floorReason(floor: Floor | undefined, call: JudgedCall): string | null {
  try {
    return floor?.(call)?.reason ?? null;
  } catch (thrown) {
    return `The floor failed: ${textOfThrown(thrown)}`;
  }
}

function verdictOf(call: CallToJudge, digest: string, combined: Combined): Verdict {
  const { policy, reason } = combined;
  const common = { policy, reason, digest, effects: call.effects };
  if (combined.decision === "modify") return { ...common, decision: "deny", input: combined.input };
  return { ...common, decision: combined.decision };
}

function permitsFor(call: JudgedCall, combined: Combined, office: PermitOffice): Result<readonly Permit[]> {
  switch (combined.decision) {
    case "allow":
      return ok(call.places.map(({ effect, real }) => office.mint(call.call, effect, real)));
    case "deny":
      return fail("tool_denied", combined.reason, "Do it another way, or have the person allow it.");
    case "ask":
      return fail("tool_denied", combined.reason, "Wait until a person has approved exactly this call.");
    case "modify":
      return fail("tool_denied", `${combined.reason} The call is no longer what was judged.`, "Make the call again.");
  }
}

/** Arguments nested too deeply to be written down can't be judged either. */
function digestOf(call: CallToJudge): Result<string> {
  try {
    return ok(callDigest(call.tool, call.input, call.folder));
  } catch (cause) {
    const message = `The arguments can't be judged: ${textOfThrown(cause)}.`;
    return fail("tool_denied", message, "Make the call with simpler arguments.", { cause });
  }
}

function deniedOutright(call: CallToJudge, reason: string): Verdict {
  const digest = callDigest(call.tool, {}, call.folder);
  return { decision: "deny", policy: "unjudgeable", reason, digest, effects: call.effects };
}
