import type { CallResult } from "../../ports.ts";
import type { CallOutcome, KernelEvents } from "../../session/kernel-events.ts";
import type { OpenCall } from "../../session/state.ts";

/** The result of a call that has none of its own: it names tool, kind of error, what happened and what to try (R2.1). */
export function closingText(
  tool: string,
  outcome: CallOutcome,
  call: OpenCall | undefined,
  judged: KernelEvents["call.judged"] | undefined,
  answered: KernelEvents["approval.answered"] | undefined,
  note = "",
): CallResult {
  const { errorType, text } = closing(outcome, call, judged, answered);
  return { outcome, errorType, content: [{ type: "text", text: `${tool}: ${errorType}. ${text}${note}` }] };
}

function closing(
  outcome: CallOutcome,
  call: OpenCall | undefined,
  judged: KernelEvents["call.judged"] | undefined,
  answered: KernelEvents["approval.answered"] | undefined,
): { readonly errorType: string; readonly text: string } {
  switch (outcome) {
    case "denied":
      if (call?.refused === true) {
        const note = answered?.note === undefined ? "" : ` They said: ${answered.note}`;
        return {
          errorType: "denied",
          text: `A person said no to this call.${note} Do not repeat it; find another way or ask what they want.`,
        };
      }
      if (call?.status === "asking")
        return {
          errorType: "denied",
          text: "It needs a person's permission and nobody can be asked. Find another way, and say what you could not do.",
        };
      return { errorType: "denied", text: judged?.reason ?? "It is not allowed here. Find another way." };
    case "cancelled":
      return {
        errorType: "cut",
        text: "The message was cut by the output limit, so this call was not run. Make it again, in a shorter message.",
      };
    case "unknown":
      return {
        errorType: "outcome_unknown",
        text: "The process that ran this call died, so its outcome is unknown: check whether it took effect before you repeat it.",
      };
    default:
      return {
        errorType: "interrupted",
        text: "It was interrupted before it ran; it had no effect. Do it again only if it is still wanted.",
      };
  }
}
