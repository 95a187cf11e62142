/** Ways back from a model call that did not end well, in their order. Each has its own lock or counter. */
import type { Rule } from "../../session/part.ts";
import { afterCrash } from "./after-crash.ts";
import { compactAfterOverflow } from "./compact-after-overflow.ts";
import { fallBack } from "./fall-back.ts";
import { giveUp } from "./give-up.ts";
import { raiseOutputLimit } from "./raise-output-limit.ts";
import { refusal } from "./refusal.ts";
import { resumeNudge } from "./resume-nudge.ts";
import { retryTransient } from "./retry-transient.ts";

/** The recovery rules. */
export const recovery: readonly Rule[] = [
  afterCrash,
  refusal,
  raiseOutputLimit,
  resumeNudge,
  compactAfterOverflow,
  retryTransient,
  fallBack,
  giveUp,
];
