/** The kernel's rules in their order. `decide` walks them; a rule that holds or ends hides those behind it. */
import type { Rule } from "../../session/part.ts";
import { recovery } from "../recovery/index.ts";
import { answerCalls } from "./answer-calls.ts";
import { askedRequest } from "./asked-request.ts";
import { budgetContinue } from "./budget-continue.ts";
import { capture } from "./capture.ts";
import { deadline } from "./deadline.ts";
import { done } from "./done.ts";
import { firstRequest } from "./first-request.ts";
import { followUp } from "./follow-up.ts";
import { goal } from "./goal.ts";
import { idle } from "./idle.ts";
import { judgeCalls } from "./judge-calls.ts";
import { modelInFlight } from "./model-in-flight.ts";
import { nextTurn } from "./next-turn.ts";
import { runCalls } from "./run-calls.ts";
import { safePoint } from "./safe-point.ts";
import { spin } from "./spin.ts";
import { stopping } from "./stopping.ts";

/** What keeps open effects going and answers calls; nothing of another part may come before it. */
export const effectRules: readonly Rule[] = [
  idle,
  stopping,
  deadline,
  capture,
  judgeCalls,
  answerCalls,
  runCalls,
  modelInFlight,
  safePoint,
];

/** What leads from one model call to the next. Rules of other parts (compaction, reflection) stand between the two. */
export const turnRules: readonly Rule[] = [
  firstRequest,
  ...recovery,
  spin,
  askedRequest,
  goal,
  nextTurn,
  budgetContinue,
  followUp,
  done,
];

/** All of the kernel's rules. */
export const kernelRules: readonly Rule[] = [...effectRules, ...turnRules];
