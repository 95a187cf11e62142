import { channel } from "node:diagnostics_channel";
import type { ReinError } from "../errors.ts";
import type { EndReason } from "../session/kernel-events.ts";
import type { State } from "../session/part.ts";

/** How a drive ended. `lost`: another process took the session. */
export interface DriveEnd {
  readonly reason: EndReason | "waiting" | "paused" | "idle" | "lost";
  readonly error?: ReinError;
  readonly state: State;
  /** Text of the newest assistant message of this drive. */
  readonly text: string;
}

/** Channel on which each end is told, with store, composition and state; for tests and tools. */
export const DRIVE_END = channel("rein:brain:end");

const GOES_ON: ReadonlySet<DriveEnd["reason"]> = new Set(["done", "goal_reached", "goal_missed", "stopped"] as const);

/** Whether an input that came too late for a run that ended so starts the next one at once. */
export function goesOnAfter(reason: DriveEnd["reason"]): boolean {
  return GOES_ON.has(reason);
}

/** Why a drive ends where nothing but a person or a command can move the session. */
export function reasonAtRest({ kernel }: State, asks: boolean): DriveEnd["reason"] {
  const { run, paused, terminated } = kernel;
  if (asks) return "waiting";
  if (paused) return "paused";
  if (run.active) return "waiting";
  return terminated ? "killed" : (run.ended?.reason ?? "idle");
}
