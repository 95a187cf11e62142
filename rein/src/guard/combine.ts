import type { JsonObject } from "../core/json.ts";
import type { PolicyAnswer } from "./policy.ts";

/** A policy's answer with the policy it came from. */
export interface NamedAnswer {
  readonly policy: string;
  readonly grants: boolean;
  readonly answer: PolicyAnswer;
}

/** What the combination needs to know besides the answers. */
export interface Situation {
  /** A person approved exactly this call. */
  readonly approved: boolean;
  /** There is somebody to ask. */
  readonly canAsk: boolean;
  /** How often a policy has changed the arguments of this call already. */
  readonly changes: number;
  /** Said when nobody grants. */
  readonly ungranted: () => string;
  /** The floor's reason to deny what would run, or null. */
  readonly floor: () => string | null;
}

/** What becomes of the call. */
export type Combined =
  | { readonly decision: "allow" | "ask" | "deny"; readonly policy: string; readonly reason: string }
  | { readonly decision: "modify"; readonly policy: string; readonly reason: string; readonly input: JsonObject };

/** Most times that policies may change the arguments of one call. */
export const MOST_CHANGES = 3;

/**
 * The rule by which answers become one decision:
 *
 * 1. any deny wins;
 * 2. else a changed call is judged anew, at most {@link MOST_CHANGES} times, then denied;
 * 3. else the floor, which judges what will really run and which nothing lifts, may deny;
 * 4. else a person's approval of exactly this call lets it run;
 * 5. else an explicit ask stands, whoever allows;
 * 6. else an allow of a granting policy lets it run;
 * 7. else it is asked; and wherever something is to be asked with nobody to ask, it is denied.
 */
export function combine(answers: readonly NamedAnswer[], situation: Situation): Combined {
  const denied = answers.find(({ answer }) => answer.answer === "deny");
  if (denied !== undefined) return decided("deny", denied);

  for (const { policy, answer } of answers) {
    if (answer.answer !== "modify") continue;
    if (situation.changes >= MOST_CHANGES) {
      const reason = `The arguments were changed ${situation.changes} times and would be changed again: ${answer.reason}`;
      return { decision: "deny", policy, reason };
    }
    return { decision: "modify", policy, reason: answer.reason, input: answer.input };
  }

  const floor = situation.floor();
  if (floor !== null) return { decision: "deny", policy: "floor", reason: floor };
  if (situation.approved) return { decision: "allow", policy: "approval", reason: "A person approved this call." };

  const asked = answers.find(({ answer }) => answer.answer === "ask");
  if (asked !== undefined) return askOrDeny(asked.policy, asked.answer.reason, situation);

  const granted = answers.find(({ answer, grants }) => grants && answer.answer === "allow");
  if (granted !== undefined) return decided("allow", granted);
  return askOrDeny("no-grant", situation.ungranted(), situation);
}

function decided(decision: "allow" | "deny", by: NamedAnswer): Combined {
  return { decision, policy: by.policy, reason: by.answer.reason };
}

function askOrDeny(policy: string, reason: string, situation: Situation): Combined {
  if (situation.canAsk) return { decision: "ask", policy, reason };
  return { decision: "deny", policy, reason: `${reason} Nobody can be asked in this session.` };
}
