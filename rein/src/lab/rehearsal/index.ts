export { bundledPlaybooks } from "./bundled-playbooks.ts";
export type { Conversation, PastCall } from "./conversation.ts";
export { createRehearsalModel, INTRODUCTION, REHEARSAL_ID, type RehearsalOptions } from "./create-rehearsal-model.ts";
export { examinePlaybook } from "./examine/examine-playbook.ts";
export type { Outcome } from "./outcome-of.ts";
export type { Playbook, Rule, Said } from "./playbook.ts";
export { simplePlaybook } from "./simple-playbook.ts";
