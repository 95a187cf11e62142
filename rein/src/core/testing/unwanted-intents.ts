/** Decides again: whatever a log says was begun must have been wanted by the rules in the state before it. */
import { decide } from "../brain/index.ts";
import { canonicalJson, isJsonObject, type JsonValue } from "../json.ts";
import { type Composition, isKernelEvent, type KernelEvent, type SessionEvent, type State } from "../session/index.ts";

/** What does not hold, a sentence each. `states[n]` is the state after n events. */
export function unwantedIntents(composition: Composition, events: readonly SessionEvent[], states: readonly State[]): readonly string[] {
  const faults: string[] = [];
  // Between `session.forked` (or an import) and the next wake no rule has decided: that tail closes what the parent left open.
  let closing = false;
  for (const [index, event] of events.entries()) {
    const before = states[index];
    if (event.type === "session.forked" || event.type === "session.imported") closing = true;
    if (event.type === "brain.woke") closing = false;
    if (closing || before === undefined || !isKernelEvent(event)) continue;
    const fault = faultOf(composition, before, event);
    if (fault !== null) faults.push(`${event.session} event ${event.seq} (${event.type}): ${fault}`);
  }
  return faults;
}

function faultOf(composition: Composition, before: State, event: KernelEvent): string | null {
  const claim = claimOf(before, event);
  if (claim === null) return null;
  const { want, end } = decide(composition.rules, before);
  if (claim.end !== undefined) {
    if (end?.reason === claim.end) return null;
    return `the rules say ${end === null ? "that the run goes on" : `the run ends as ${end.reason}`}`;
  }
  const wanted = want.find(({ id }) => id === claim.id);
  if (wanted === undefined) return `the rules want ${want.map(({ id }) => id).join(", ") || "nothing"}${end === null ? "" : ` and end the run (${end.reason})`}, not ${claim.id}`;
  if (claim.input === undefined || canonicalJson(wanted.input) === canonicalJson(claim.input)) return null;
  return `the rules want ${claim.id} with ${canonicalJson(wanted.input)}`;
}

interface Claim {
  readonly id?: string;
  readonly input?: JsonValue;
  readonly end?: string;
}

/** The effect whose beginning, or immediate end, an event stands for; null when it stands for none. */
function claimOf({ kernel }: State, event: KernelEvent): Claim | null {
  switch (event.type) {
    case "run.started":
      return { id: `run:${event.data.run}`, input: { run: event.data.run } };
    case "run.ended":
      return { end: event.data.reason };
    case "model.requested":
      return { id: `model:${event.data.turn}.${event.data.attempt}`, input: json(event.data) };
    case "timer.set":
      return { id: `timer:${event.data.name}`, input: json(event.data) };
    case "tool.started":
      return { id: `call:${event.data.call}` };
    case "call.judged":
      return statusOf(kernel, event.data.call) === "new" ? { id: `judge:${event.data.call}` } : null;
    case "approval.requested":
      return statusOf(kernel, event.data.call) === "judged" ? { id: `ask:${event.data.call}` } : null;
    case "tool.finished": {
      const status = statusOf(kernel, event.data.call);
      // What is started ends by itself; what is closed already stays as it is.
      return status === null || status === "started" || status === "finished" ? null : { id: `close:${event.data.call}` };
    }
    default:
      return null;
  }
}

function statusOf(kernel: State["kernel"], key: string): string | null {
  return kernel.open?.calls.find(({ call }) => call === key)?.status ?? null;
}

/** Event data as JSON, without the members that are absent. */
function json(data: object): JsonValue {
  const value: JsonValue = JSON.parse(JSON.stringify(data));
  return isJsonObject(value) ? value : null;
}
