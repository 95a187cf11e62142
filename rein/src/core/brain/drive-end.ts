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
