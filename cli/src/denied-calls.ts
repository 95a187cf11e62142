import { type Agent, isKernelEvent, textOf } from "rein";
import { callText } from "./call-text.ts";
import { oneLine } from "./one-line.ts";
import type { JudgedCall } from "./run-printer.ts";
import type { DeniedCalls } from "./run-report.ts";
import { sessionEvents } from "./session-events.ts";

/** A longer task is not repeated in a command line. */
const MOST_UNITS = 200;
const SHORT_TASK = "Try again what was denied.";

/** What would let denied calls run; null when there are none. */
export async function deniedCalls(
  agent: Agent,
  session: string,
  folder: string,
  denied: readonly JudgedCall[],
): Promise<DeniedCalls | null> {
  if (denied.length === 0) return null;
  const rules = new Set<string>();
  const unnamed = new Set<string>();
  for (const { name, effects } of denied) {
    const found = await agent.rulesFor({ tool: name, effects, folder });
    for (const rule of found) rules.add(rule);
    if (found.length === 0) unnamed.add(oneLine(callText(name, effects, folder)));
  }
  return { rules: [...rules], unnamed: [...unnamed], task: await lastTask(agent, session) };
}

async function lastTask(agent: Agent, session: string): Promise<string> {
  const { history } = (await agent.state(session)).kernel;
  const input = history.slice(0).findLast(({ kind }) => kind === "input");
  if (input === undefined) return SHORT_TASK;
  for await (const event of sessionEvents(await agent.store(), session, input.seq)) {
    if (!isKernelEvent(event) || event.type !== "input.received") break;
    const text = textOf(event.data.content);
    return text.length <= MOST_UNITS && !text.startsWith("-") ? text : SHORT_TASK;
  }
  return SHORT_TASK;
}
