import type { Clock } from "../core/ports.ts";

/** The six stages of the pipeline (R6.2), in order. */
export type PipelineStage = "find" | "validate" | "permission" | "execute" | "process" | "persist";

/** Measures stages that follow each other. */
export interface StageTimer {
  /** Ends the stage that has run since the last end. A stage that comes again adds up. */
  readonly end: (stage: PipelineStage) => void;
  /** Milliseconds of each stage that has ended, to a tenth. */
  readonly stages: () => Readonly<Record<string, number>>;
}

/** Starts measuring. */
export function startStages(clock: Pick<Clock, "monotonic">): StageTimer {
  const spent: Spent = { find: null, validate: null, permission: null, execute: null, process: null, persist: null };
  let since = clock.monotonic();
  return {
    end(stage) {
      const now = clock.monotonic();
      spent[stage] = (spent[stage] ?? 0) + now - since;
      since = now;
    },
    stages: () => rounded(spent),
  };
}

type Spent = Record<PipelineStage, number | null>;

function rounded({ find, validate, permission, execute, process, persist }: Spent): Readonly<Record<string, number>> {
  if (
    find !== null &&
    validate !== null &&
    permission !== null &&
    execute !== null &&
    process !== null &&
    persist !== null
  ) {
    return {
      find: tenth(find),
      validate: tenth(validate),
      permission: tenth(permission),
      execute: tenth(execute),
      process: tenth(process),
      persist: tenth(persist),
    };
  }
  const ended = Object.entries({ find, validate, permission, execute, process, persist });
  return Object.fromEntries(ended.flatMap(([stage, ms]) => (ms === null ? [] : [[stage, tenth(ms)] as const])));
}

function tenth(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/** Measures nothing: for stages whose time nobody asks for. */
export const NO_STAGES: StageTimer = { end: () => undefined, stages: () => ({}) };
