import { examinePlaybook } from "./examine/examine-playbook.ts";
import type { Playbook } from "./playbook.ts";
import { simplePlaybook } from "./simple-playbook.ts";

/** What a rehearsal model can do when it is given no playbooks; the first that takes a task has it. */
export const bundledPlaybooks: readonly Playbook[] = [simplePlaybook, examinePlaybook];
