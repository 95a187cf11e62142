import type { Policy } from "../policy.ts";
import { allowRules } from "./allow-rules.ts";
import { denyRules } from "./deny-rules.ts";
import { noEffect } from "./no-effect.ts";
import { ownAsk } from "./own-ask.ts";
import { unusablePath } from "./unusable-path.ts";
import { workspaceRead } from "./workspace-read.ts";

/** The policies, in the order in which they are asked; of several that say the same, the first is named. */
export const POLICIES: readonly Policy[] = [unusablePath, denyRules, ownAsk, noEffect, workspaceRead, allowRules];
