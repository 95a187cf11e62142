import { isKernelEvent, type KernelEvent, type State } from "../../../session/index.ts";
import type { Invariant, SessionRecord } from "../recording.ts";

/** Figures of docs/architecture.md, *Defaults*, written down here once more so that a slip there shows. */
const ATTEMPTS = 3;
const NUDGES = 3;
const CONTINUES = 3;
const RAISES = 1;

/** Retries, fallbacks, nudges, raises of the output limit and the limits of a run never go beyond their bounds. */
export const locks: Invariant = {
  name: "locks",
  check: ({ sessions }) => sessions.flatMap(faultsOf),
};

interface Counted {
  /** Failures of the turn with one model. */
  failures: number;
  nudges: number;
  continues: number;
  raises: number;
  fallbacks: number;
  modelCalls: number;
  turns: Set<number>;
}

const fresh = (): Counted => ({
  failures: 0,
  nudges: 0,
  continues: 0,
  raises: 0,
  fallbacks: 0,
  modelCalls: 0,
  turns: new Set(),
});

function faultsOf({ session, events, states }: SessionRecord): readonly string[] {
  const faults: string[] = [];
  let counted = fresh();
  for (const [index, event] of events.entries()) {
    if (!isKernelEvent(event)) continue;
    if (event.type === "run.started") counted = fresh();
    count(counted, event);
    const fault = beyond(counted, event, states[index]);
    if (fault !== null) faults.push(`${session} event ${event.seq}: ${fault}`);
  }
  return faults;
}

function count(counted: Counted, event: KernelEvent): void {
  switch (event.type) {
    case "model.requested": {
      const { turn, transition, escalated, attempt } = event.data;
      if (!counted.turns.has(turn) || transition === "model_fallback") counted.failures = 0;
      if (transition === "model_fallback") counted.fallbacks += 1;
      if (transition === "output_truncated" && escalated && attempt > 1) counted.raises += 1;
      counted.turns.add(turn);
      counted.modelCalls += 1;
      return;
    }
    case "model.failed":
      counted.failures += 1;
      return;
    case "model.responded": {
      const { stop } = event.data;
      if (stop !== "end" && stop !== "tool_use" && stop !== "stop_sequence") return;
      counted.nudges = 0;
      counted.raises = 0;
      return;
    }
    case "notice.added":
      if (event.data.kind === "resume_nudge") counted.nudges += 1;
      if (event.data.kind === "budget_continue") counted.continues += 1;
      return;
    default:
      return;
  }
}

function beyond(counted: Counted, event: KernelEvent, before: State | undefined): string | null {
  const settings = before?.kernel.settings;
  if (counted.failures > ATTEMPTS) return `${counted.failures} failures of one turn with one model`;
  if (counted.nudges > NUDGES) return `${counted.nudges} nudges`;
  if (counted.continues > CONTINUES) return `told ${counted.continues} times to go on`;
  if (counted.raises > RAISES) return `the output limit is raised ${counted.raises} times`;
  if (event.type !== "model.requested" || settings === null || settings === undefined) return null;
  const { maxTurns = Number.POSITIVE_INFINITY, maxModelCalls = Number.POSITIVE_INFINITY } = settings.limits;
  // A retry of a turn that began under a wider limit is no new turn.
  if (event.data.attempt === 1 && counted.turns.size > maxTurns)
    return `${counted.turns.size} turns of at most ${maxTurns}`;
  if (counted.modelCalls > maxModelCalls) return `${counted.modelCalls} model calls of at most ${maxModelCalls}`;
  return null;
}
