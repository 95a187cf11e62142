import { fail, ok, type Result, textOfThrown } from "../core/errors.ts";
import { canonicalJson, isDeeperThan, MOST_JSON_DEPTH } from "../core/json.ts";
import { packedMap } from "../core/packed-map.ts";
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

const TOO_DEEP = `The arguments are nested deeper than ${MOST_JSON_DEPTH} levels, so the call can't be judged.`;

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
      if (isDeeperThan(call.input, MOST_JSON_DEPTH)) return deniedOutright(call, TOO_DEEP);
      const verdict = (judged: JudgedCall): Verdict => verdictOf(judged, judgePrepared(judged, policies, floor, false));
      const prepared = prepareCall(call, options);
      if (!(prepared instanceof Promise)) return verdict(prepared);
      return prepared.then(verdict, (thrown: unknown) => deniedOutright(call, textOfThrown(thrown)));
    },

    async admit(call, approved) {
      if (isDeeperThan(call.input, MOST_JSON_DEPTH)) return fail("tool_denied", TOO_DEEP, "Make a simpler call.");
      try {
        const judged = await prepareCall(call, options);
        if (approved !== null && approved !== digestOf(judged)) return notApproved(judged);
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
    ungranted: () => ungranted(call),
    floor: () => floorReason(floor, call),
  });
}

function ungranted({ tool, places }: JudgedCall): string {
  if (places.length > 0) return `No rule allows to ${places.map(describePlace).join(", or to ")}.`;
  return `No rule allows \`${tool}\`, which is declared neither read-only nor public.`;
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

function verdictOf(call: JudgedCall, combined: Combined): Verdict {
  const { policy, reason } = combined;
  const reals = packedMap(call.places, ({ real }) => real ?? null);
  const decision = combined.decision === "modify" ? "deny" : combined.decision;
  const verdict: Verdict = { decision, policy, reason, digest: digestOf(call), effects: call.effects, reals };
  return combined.decision === "modify" ? { ...verdict, input: combined.input } : verdict;
}

function permitsFor(call: JudgedCall, combined: Combined, office: PermitOffice): Result<readonly Permit[]> {
  switch (combined.decision) {
    case "allow":
      return ok(packedMap(call.places, ({ effect, real }) => office.mint(call.call, effect, real)));
    case "deny":
      return fail("tool_denied", combined.reason, "Do it another way, or have the person allow it.");
    case "ask":
      return fail("tool_denied", combined.reason, "Wait until a person has approved exactly this call.");
    case "modify":
      return fail("tool_denied", `${combined.reason} The call is no longer what was judged.`, "Make the call again.");
  }
}

function digestOf({ tool, input, folder, places }: JudgedCall): string {
  return callDigest(tool, input, folder, places);
}

/** The approval counts for nothing, whatever rules allow by now: the person said yes to something else. */
function notApproved({ tool, places }: JudgedCall): Result<never> {
  const now = places.length === 0 ? `call ${tool}` : places.map(describePlace).join(", and to ");
  return fail(
    "tool_denied",
    `The call is not the one that was approved: it has changed, or a path of it leads elsewhere by now. It would ${now}.`,
    "Make the call again and have it approved.",
  );
}

function deniedOutright(call: CallToJudge, reason: string): Verdict {
  const digest = callDigest(call.tool, {}, call.folder, []);
  return { decision: "deny", policy: "unjudgeable", reason, digest, effects: call.effects };
}
