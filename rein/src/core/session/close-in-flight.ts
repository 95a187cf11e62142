import type { NewEvent } from "./event.ts";
import type { State } from "./part.ts";

/**
 * Events that close what is in flight in a copy of a session (a fork, an import): the original may still be at work on it, so the
 * copy neither waits for it nor touches it. `copied` says in one word how the copy was made.
 */
export function closeInFlight({ kernel }: State, copied: "forked" | "exported"): readonly NewEvent[] {
  const events: NewEvent[] = [];
  if (kernel.model.phase === "requested") {
    events.push({ type: "model.interrupted", data: { turn: kernel.model.turn, text: "", by: "crash" } });
  }
  for (const call of kernel.open?.calls ?? []) {
    if (call.status === "finished") continue;
    const begun = call.status === "started";
    // The copy may lie in the same folder, and may lack the end of what it was made from.
    const text = begun
      ? `${call.name}: outcome_unknown. This session was ${copied} from another while this call ran: check whether it took effect before you repeat it.`
      : `${call.name}: interrupted. This session was ${copied} from another at a place before this call ran. The other may have run it: check whether it took effect before you repeat it.`;
    const outcome = begun ? "unknown" : "interrupted";
    const errorType = begun ? "outcome_unknown" : "interrupted";
    events.push({
      type: "tool.finished",
      data: { call: call.call, outcome, errorType, content: [{ type: "text", text }], duration: 0 },
    });
  }
  if (kernel.run.active) events.push({ type: "run.ended", data: { run: kernel.run.number, reason: "interrupted" } });
  return events;
}
