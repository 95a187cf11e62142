import type { Message } from "../../../message/message.ts";
import type { Invariant } from "../recording.ts";

/** Every request a model ever saw is well-formed: each call has exactly one result, right behind it, and no result is an orphan. */
export const pairing: Invariant = {
  name: "pairing",
  check({ requests }) {
    const faults: string[] = [];
    for (const { session, request } of requests) {
      const { turn, attempt } = request.trace;
      for (const fault of pairingFaults(request.messages))
        faults.push(`${session} request ${turn}.${attempt}: ${fault}`);
    }
    return faults;
  },
};

/** What is wrong with the messages of a request, a sentence each. */
export function pairingFaults(messages: readonly Message[]): readonly string[] {
  const faults: string[] = [];
  if (messages.length === 0) faults.push("it has no messages.");
  if (messages[0]?.role === "assistant" || messages[0]?.role === "tool")
    faults.push(`it begins with the role ${messages[0].role}.`);
  for (const [index, message] of messages.entries()) {
    if (message.content.length === 0) faults.push(`message ${index} is empty.`);
    const uses = message.content.flatMap((block) => (block.type === "tool_use" ? [block] : []));
    const results = message.content.flatMap((block) => (block.type === "tool_result" ? [block.id] : []));
    if (uses.length > 0 && message.role !== "assistant")
      faults.push(`message ${index} calls tools as ${message.role}.`);
    if (uses.some(({ id }) => id === "") || new Set(uses.map(({ id }) => id)).size < uses.length)
      faults.push(`message ${index} has blank or repeated ids.`);
    if (uses.some(({ name }) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name)))
      faults.push(`message ${index} calls a name no provider takes.`);
    if (uses.length > 0) {
      const next = messages[index + 1];
      const answers =
        next?.role === "tool" ? next.content.map((block) => (block.type === "tool_result" ? block.id : "")) : [];
      if (answers.join(" ") !== uses.map(({ id }) => id).join(" "))
        faults.push(
          `message ${index} calls ${uses.map(({ id }) => id).join(" ")}; the results behind it are ${answers.join(" ") || "none"}.`,
        );
    }
    if (results.length > 0 && message.role !== "tool") faults.push(`message ${index} has results as ${message.role}.`);
    if (message.role === "tool" && !calls(messages[index - 1]))
      faults.push(`message ${index} has results without calls before it.`);
  }
  return faults;
}

function calls(message: Message | undefined): boolean {
  return message?.role === "assistant" && message.content.some((block) => block.type === "tool_use");
}
