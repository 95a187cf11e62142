export { checkRules } from "./check-rules.ts";
export { createGuard, type GuardOptions } from "./create-guard.ts";
export type { ResolvePath } from "./follow-paths.ts";
export { POLICIES } from "./policies/index.ts";
export type { Floor, JudgedCall, Place, Policy, PolicyAnswer } from "./policy.ts";
export { createRedact, type RedactOptions } from "./redact.ts";
export { type PathPattern, parseRule, type Rule } from "./rule.ts";
export { suggestRules, type UngrantedCall } from "./suggest-rules.ts";
