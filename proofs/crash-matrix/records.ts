import type { ModelRequest } from "rein";
import type { MarkedProcess } from "../shared/marked-processes.ts";
import type { ReadLog } from "../shared/read-log.ts";
import type { Streamed, Told } from "./kill-switch.ts";
import type { Scenario } from "./points.ts";

/** A call that a life closes as unknown, looked at just before that is committed. */
export interface Closing {
  readonly call: string;
  /** Processes that descend from any life of the scenario. */
  readonly alive: readonly MarkedProcess[];
  readonly ticks: Ticks;
}

/** Bytes in each file to which grandchildren write. */
export type Ticks = Readonly<{ [file: string]: number }>;

/** What the last life says at its end. */
export interface LifeEnd {
  /** How its runs ended. */
  readonly reasons: readonly string[];
  readonly journal: readonly string[];
  readonly alive: readonly string[];
  /** At the end, and 200 ms later. */
  readonly ticks: { readonly before: Ticks; readonly after: Ticks };
  /** What `verify` found. */
  readonly findings: readonly string[];
}

/** A life that was killed, looked at by the proof before the next one began. */
export interface DeadLife {
  /** The log it left. */
  readonly log: ReadLog;
  /** Descendants that outlived it, a moment after its death. */
  readonly survivors: readonly string[];
}

/** Everything that is known of a scenario that was played. */
export interface Played {
  readonly scenario: Scenario;
  readonly dead: readonly DeadLife[];
  readonly log: ReadLog;
  readonly end: LifeEnd;
  readonly told: readonly Told[];
  readonly requests: readonly ModelRequest[];
  readonly streamed: readonly Streamed[];
  readonly closings: readonly Closing[];
  /** Files of the workspace that writes made, with their text. */
  readonly written: Readonly<{ [path: string]: string }>;
}
