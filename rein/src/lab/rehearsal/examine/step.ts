import type { Conversation } from "../conversation.ts";
import type { Rule, Said } from "../playbook.ts";
import { type Findings, findingsOf } from "./findings.ts";
import { attemptsOf, isOpen, type WantedCall } from "./wanted-call.ts";

/** A step of the examination: which calls it takes, and what is said with them. It is over when none of its calls is open. */
export interface Step {
  readonly name: string;
  readonly say: (findings: Findings) => string;
  readonly calls: (findings: Findings) => readonly WantedCall[];
}

/** A step as a rule: it holds while one of its calls is open, and makes all that are, in one message. */
export function stepRule(step: Step): Rule {
  const openCalls = (conversation: Conversation): readonly WantedCall[] =>
    step.calls(findingsOf(conversation)).filter((call) => isOpen(conversation, call));
  return {
    name: step.name,
    when: (conversation) => openCalls(conversation).length > 0,
    respond: (conversation) => {
      const calls = openCalls(conversation);
      const again = calls.find((call) => attemptsOf(conversation, call).length > 0);
      const text = again === undefined ? step.say(findingsOf(conversation)) : sayAgain(conversation, again);
      return [{ type: "text", text }, ...calls.map((call): Said => ({ type: "call", ...call }))];
    },
  };
}

function sayAgain(conversation: Conversation, call: WantedCall): string {
  const outcome = attemptsOf(conversation, call).at(-1)?.outcome;
  const what = call.tool === "shell" ? `\`${String(call.input.command)}\`` : `the call of \`${call.tool}\``;
  if (outcome === "unknown") {
    const safe =
      call.tool === "write" ? "It writes the whole file, so doing it again is safe" : "A test run may be repeated";
    return `The outcome of ${what} is unknown. ${safe}: I do it once more.`;
  }
  return `${what.charAt(0).toUpperCase()}${what.slice(1)} did not come to its end. I do it once more.`;
}
