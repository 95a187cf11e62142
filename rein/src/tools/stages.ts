import type { Clock } from "../core/ports.ts";

/** The six stages of the pipeline (R6.2), in order. */
export type PipelineStage = "find" | "validate" | "permission" | "execute" | "process" | "persist";

const STAGES: readonly PipelineStage[] = ["find", "validate", "permission", "execute", "process", "persist"];

/** Measures stages that follow each other. */
export interface StageTimer {
  /** Ends the stage that has run since the last end. A stage that comes again adds up. */
  readonly end: (stage: PipelineStage) => void;
  /** Milliseconds of each stage that has ended, to a tenth. */
  readonly stages: () => Readonly<Record<string, number>>;
}

/** Starts measuring. */
export function startStages(clock: Pick<Clock, "monotonic">): StageTimer {
  const spent: Partial<Record<PipelineStage, number>> = {};
  let since = clock.monotonic();
  return {
    end(stage) {
      const now = clock.monotonic();
      spent[stage] = (spent[stage] ?? 0) + now - since;
      since = now;
    },
    stages: () => {
      const rounded: Partial<Record<PipelineStage, number>> = {};
      for (const stage of STAGES) {
        const ms = spent[stage];
        if (ms !== undefined) rounded[stage] = Math.round(ms * 10) / 10;
      }
      return rounded;
    },
  };
}

/** Measures nothing: for stages whose time nobody asks for. */
export const NO_STAGES: StageTimer = { end: () => undefined, stages: () => ({}) };
