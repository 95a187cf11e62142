import type { Message, ModelRequest } from "rein";

/** What a provider would refuse in a request, a sentence each: calls and results must be paired, and all text must be text. */
export function requestFaults({ messages, trace }: ModelRequest): readonly string[] {
  const place = `request ${trace.turn}.${trace.attempt}`;
  const faults: string[] = [];
  const used = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const calls = idsOf(message, "tool_use");
    const results = idsOf(message, "tool_result");
    const wanted = index === 0 ? [] : idsOf(messages[index - 1], "tool_use");
    if (results.join() !== wanted.join()) {
      faults.push(`${place}: message ${index} answers [${results}], and the calls before it are [${wanted}].`);
    }
    for (const id of calls) if (used.has(id)) faults.push(`${place}: the call id ${id} stands twice.`);
    for (const id of calls) used.add(id);
    if (message.content.length === 0) faults.push(`${place}: message ${index} is empty.`);
  }
  const open = idsOf(messages.at(-1), "tool_use");
  if (open.length > 0) faults.push(`${place}: it ends with the calls [${open}] unanswered.`);
  if (!JSON.stringify(messages).isWellFormed()) faults.push(`${place}: it holds a lone surrogate.`);
  return faults;
}

function idsOf(message: Message | undefined, type: "tool_use" | "tool_result"): readonly string[] {
  return message?.content.flatMap((block) => (block.type === type ? [block.id] : [])) ?? [];
}

/** Whether each request extends the one before it: same system, same tools, messages appended. A sentence for each that does not. */
export function prefixFaults(requests: readonly ModelRequest[]): readonly string[] {
  return requests.flatMap((request, index) => {
    const before = requests[index - 1];
    if (before === undefined || isPrefix(before, request)) return [];
    const { turn, attempt } = request.trace;
    return [`request ${turn}.${attempt} does not extend request ${before.trace.turn}.${before.trace.attempt}.`];
  });
}

function isPrefix(before: ModelRequest, after: ModelRequest): boolean {
  const head = ({ system, tools, model }: ModelRequest): string => JSON.stringify([model, system, tools]);
  if (head(before) !== head(after)) return false;
  return before.messages.every((message, index) => JSON.stringify(message) === JSON.stringify(after.messages[index]));
}
