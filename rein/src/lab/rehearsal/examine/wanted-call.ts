import { canonicalJson, type JsonObject } from "../../../core/json.ts";
import { type Conversation, offers, type PastCall } from "../conversation.ts";

/** A call that the examination wants to be made. */
export interface WantedCall {
  readonly tool: string;
  readonly input: JsonObject;
}

/** Times a call is made in all when nobody can say that it ran. */
const MOST_ATTEMPTS = 2;

/** What a call is known by; a write by its path, since the report that is written grows with what is seen. */
function keyOf({ tool, input }: WantedCall): string {
  return tool === "write" ? `${tool} ${String(input.path)}` : `${tool} ${canonicalJson(input)}`;
}

/** Whether two calls ask for the same. */
export function isSameCall(one: WantedCall, other: WantedCall): boolean {
  return keyOf(one) === keyOf(other);
}

/** What came of a call so far, the newest attempt last. */
export function attemptsOf(conversation: Conversation, wanted: WantedCall): readonly PastCall[] {
  const key = keyOf(wanted);
  return conversation.calls.filter((call) => keyOf(call) === key);
}

/** The newest attempt. */
export function lastAttempt(conversation: Conversation, wanted: WantedCall): PastCall | undefined {
  return attemptsOf(conversation, wanted).at(-1);
}

/** Whether a call is still to be made: never tried, or tried without anybody knowing how it ended. A denied call is never repeated. */
export function isOpen(conversation: Conversation, wanted: WantedCall): boolean {
  if (!offers(conversation, wanted.tool)) return false;
  const attempts = attemptsOf(conversation, wanted);
  const last = attempts.at(-1);
  if (last === undefined) return true;
  switch (last.outcome) {
    case "unknown":
    case "interrupted":
    case "cancelled":
    case "missing":
      return attempts.length < MOST_ATTEMPTS;
    case "ok":
    case "broken":
    case "denied":
    case "timeout":
      return false;
  }
}
