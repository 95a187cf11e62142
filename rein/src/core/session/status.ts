import type { EndReason } from "./kernel-events.ts";
import type { State } from "./part.ts";
import type { Status } from "./state.ts";

/** What a session is doing, from its state (R1.3). */
export function statusOf(state: State): Status {
  const { run, terminated, paused, waking, captured, settings } = state.kernel;
  if (terminated) return "terminated";
  if (settings === null) return "idle";
  if (paused) return "paused";
  if (!run.active) return restingStatus(run.ended?.reason ?? null);
  if (waitsForPerson(state)) return "waiting";
  if (waking) return "resuming";
  return captured.system === null ? "initializing" : "running";
}

/** A person was asked in this life, and no call runs meanwhile. */
function waitsForPerson({ kernel }: State): boolean {
  const calls = kernel.open?.calls ?? [];
  const asked = calls.some((call) => call.status === "asking" && call.asked === kernel.token);
  return asked && calls.every((call) => call.status !== "started");
}

function restingStatus(reason: EndReason | null): Status {
  switch (reason) {
    case null:
    case "interrupted":
      return "idle";
    case "failed":
    case "refused":
    case "spinning":
      return "failed";
    case "killed":
      return "terminated";
    case "done":
    case "stopped":
    case "goal_reached":
    case "goal_missed":
    case "max_turns":
    case "max_model_calls":
    case "max_tokens":
    case "max_cost":
    case "max_time":
      return "completed";
  }
}
