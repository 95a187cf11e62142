/** Tools that fail on purpose, for tests of whatever runs them. */
import type { CallContext, CallResult, Clock, PendingCall, Tools } from "../ports.ts";
import { type Dice, diceOf } from "./dice.ts";

/** What can go wrong with a call; `onFault` is told these. */
export type ToolFault =
  /** The adapter throws before anything has happened, against its contract. */
  | "throw"
  /** It does its work, then throws. */
  | "throw-after"
  /** It does nothing and ends only when it is aborted. */
  | "hang"
  /** It does nothing for a while, then says `tool_timeout`. */
  | "timeout"
  /** It does its work whatever the abort says. */
  | "deaf"
  /** The process dies before the work. */
  | "crash-before-effect"
  /** The process dies behind the work, so that nobody hears the result. */
  | "crash-after-effect";

/** Which faults, and how often. */
export interface ToolFaults {
  /** Numbers from 0 to 1; a seeded source makes the faults repeatable. */
  readonly random: () => number;
  readonly clock: Pick<Clock, "sleep">;
  /** Probability of each fault for one call, by its name; absent is 0. Looked at with every call, so it may change. */
  readonly chances?: Readonly<Partial<Record<ToolFault, number>>>;
  /** Milliseconds of a `timeout`; default 30,000. */
  readonly timeout?: number;
  /** Ends the process; must never resolve. Without it nothing crashes. */
  readonly crash?: () => Promise<never>;
  /** Told of each fault that really happened. */
  readonly onFault?: (fault: ToolFault, call: PendingCall) => void;
}

const FAULTS: readonly ToolFault[] = [
  "throw",
  "throw-after",
  "hang",
  "timeout",
  "deaf",
  "crash-before-effect",
  "crash-after-effect",
];
const TIMEOUT = 30_000;

/** Wraps a tools port; a call meets at most one fault. Judging and reconciling are left alone. */
export function createFaultyTools(tools: Tools, faults: ToolFaults): Tools {
  const dice = diceOf(faults.random);
  return {
    schemas: tools.schemas,
    judge: (call) => tools.judge(call),
    reconcile: (call, judgement, context) => tools.reconcile(call, judgement, context),
    execute(call, judgement, approved, context) {
      const fault = pickFault(faults, dice);
      const execute = (around: CallContext): Promise<CallResult> => tools.execute(call, judgement, approved, around);
      if (fault === undefined) return execute(context);
      faults.onFault?.(fault, call);
      return spoiled(fault, faults, call, context, execute);
    },
  };
}

function pickFault({ chances, crash }: ToolFaults, dice: Dice): ToolFault | undefined {
  return FAULTS.find((kind) => {
    const chance = chances?.[kind] ?? 0;
    if (crash === undefined && kind.startsWith("crash")) return false;
    return chance > 0 && dice.chance(chance);
  });
}

async function spoiled(
  fault: ToolFault,
  faults: ToolFaults,
  call: PendingCall,
  context: CallContext,
  execute: (context: CallContext) => Promise<CallResult>,
): Promise<CallResult> {
  switch (fault) {
    case "throw":
      throw new Error(`The faulty tool ${call.name} threw.`);
    case "throw-after":
      await execute(context);
      throw new Error(`The faulty tool ${call.name} threw behind its work.`);
    case "hang":
      await aborted(context.signal);
      return failed(call, "interrupted", "interrupted");
    case "timeout":
      await faults.clock.sleep(faults.timeout ?? TIMEOUT, context.signal);
      return context.signal.aborted
        ? failed(call, "interrupted", "interrupted")
        : failed(call, "error", "tool_timeout");
    case "deaf":
      return execute({ ...context, signal: new AbortController().signal });
    case "crash-before-effect":
      return faults.crash?.() ?? execute(context);
    case "crash-after-effect": {
      const result = await execute(context);
      return faults.crash?.() ?? result;
    }
  }
}

function failed(call: PendingCall, outcome: CallResult["outcome"], errorType: string): CallResult {
  return { outcome, errorType, content: [{ type: "text", text: `${call.name}: ${errorType}.` }] };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
