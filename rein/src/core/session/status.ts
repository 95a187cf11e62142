import type { State } from "./part.ts";
import type { Status } from "./state.ts";

/** What a session is doing, from its state (R1.3). */
export function statusOf(state: State): Status {
  const { run, terminated, paused, open, waking, captured, settings } = state.kernel;
  if (terminated) return "terminated";
  if (settings === null) return "idle";
  if (!run.active) return restingStatus(run.ended?.reason ?? null);
  if (paused) return "paused";
  if (waking) return "resuming";
  if (captured.system === null) return "initializing";
  const unfinished = open?.calls.filter((call) => call.status !== "finished") ?? [];
  if (unfinished.some((call) => call.status === "asking") && unfinished.every((call) => call.status !== "started")) {
    return "waiting";
  }
  return "running";
}

function restingStatus(reason: NonNullable<State["kernel"]["run"]["ended"]>["reason"] | null): Status {
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
    default:
      return "completed";
  }
}
