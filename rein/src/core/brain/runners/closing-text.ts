import type { CallResult } from "../../ports.ts";
import type { CallOutcome, KernelEvents } from "../../session/kernel-events.ts";
import type { OpenCall } from "../../session/state.ts";

/** What is known of why a call gets no result of its own. */
interface Reasons {
  readonly judged?: KernelEvents["call.judged"] | undefined;
  readonly answered?: KernelEvents["approval.answered"] | undefined;
  /** Said behind the text. */
  readonly note?: string;
}

/** The result of a call that has none of its own: it names tool, kind of error, what happened and what to try (R2.1). */
export function closingText(call: OpenCall, outcome: Exclude<CallOutcome, "ok">, reasons: Reasons = {}): CallResult {
  const [errorType, text] = closing(call, outcome, reasons);
  const note = reasons.note === undefined ? "" : ` ${reasons.note}`;
  return { outcome, errorType, content: [{ type: "text", text: `${call.name}: ${errorType}. ${text}${note}` }] };
}

function closing(call: OpenCall, outcome: Exclude<CallOutcome, "ok">, reasons: Reasons): readonly [string, string] {
  switch (outcome) {
    case "denied":
      return ["denied", denial(call, reasons)];
    case "cancelled":
      return [
        "cut",
        "The message was cut by the output limit, so this call was not run. Make it again, in a shorter message.",
      ];
    case "unknown":
      return [
        "outcome_unknown",
        "The process that ran this call died, so its outcome is unknown: check whether it took effect before you repeat it.",
      ];
    case "error":
      return [
        "not_judged",
        "Whether it may run could not be found out, so it was not run. Find another way, or say so.",
      ];
    case "interrupted":
      return [
        "interrupted",
        "It was interrupted before it ran; it had no effect. Do it again only if it is still wanted.",
      ];
  }
}

function denial(call: OpenCall, { judged, answered }: Reasons): string {
  if (call.refused) {
    const note = answered?.note === undefined ? "" : ` They said: ${answered.note}`;
    return `A person said no to this call.${note} Do not repeat it; find another way or ask what they want.`;
  }
  if (call.status === "asking") {
    return "It needs a person's permission and nobody can be asked. Find another way, and say what you could not do.";
  }
  return judged?.reason ?? "It is not allowed here. Find another way.";
}
