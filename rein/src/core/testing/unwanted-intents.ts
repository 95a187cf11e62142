/** Decides again: whatever a log says was begun must have been wanted by the rules in the state before it. */
import { type Decision, decide } from "../brain/index.ts";
import { canonicalJson, isJsonObject, type JsonValue } from "../json.ts";
import { type Composition, isKernelEvent, type KernelEvent, type SessionEvent, type State } from "../session/index.ts";

/** Looks at the events of one log in their order. */
export class IntentChecker {
  readonly #composition: Pick<Composition, "rules">;
  /** Between `session.forked` (or an import) and the next wake no rule decides: that tail closes what the original left open. */
  #closing = false;
  /** Effects on calls of the open message that the rules have wanted. */
  readonly #wanted = new Set<string>();

  constructor(composition: Pick<Composition, "rules">) {
    this.#composition = composition;
  }

  /** What is wrong with one more event in the state before it, as a sentence; null when nothing is. */
  check(before: State, event: SessionEvent): string | null {
    if (event.type === "session.forked" || event.type === "session.imported") this.#closing = true;
    if (event.type === "brain.woke") this.#closing = false;
    if (before.kernel.open === null) this.#wanted.clear();
    if (this.#closing || !isKernelEvent(event)) return null;
    const claim = claimOf(before, event);
    if (claim === null && before.kernel.open === null) return null;
    const decision = decide(this.#composition.rules, before);
    if (before.kernel.open !== null) for (const { id } of decision.want) this.#wanted.add(id);
    const fault = claim === null ? null : faultOf(claim, decision, this.#wanted);
    return fault === null ? null : `${event.session} event ${event.seq} (${event.type}): ${fault}`;
  }
}

/** What does not hold in a whole log, a sentence each. `states[n]` is the state after n events. */
export function unwantedIntents(
  composition: Pick<Composition, "rules">,
  events: readonly SessionEvent[],
  states: readonly State[],
): readonly string[] {
  const checker = new IntentChecker(composition);
  return events.flatMap((event, index) => {
    const before = states[index];
    return (before === undefined ? null : checker.check(before, event)) ?? [];
  });
}

function faultOf(claim: Claim, { want, end }: Decision, earlier: ReadonlySet<string>): string | null {
  const ending = end === null ? "" : ` and end the run as ${end.reason}`;
  const said = `the rules want ${want.map(({ id }) => id).join(", ") || "nothing"}${ending}`;
  if (claim.end !== undefined) return end?.reason === claim.end ? null : `${said}, not its end as ${claim.end}.`;
  const wanted = want.find(({ id }) => id === claim.id);
  if (wanted === undefined && claim.outcome === true && claim.id !== undefined && earlier.has(claim.id)) return null;
  if (wanted === undefined) return `${said}, not ${claim.id}.`;
  if (claim.input === undefined || canonicalJson(wanted.input) === canonicalJson(claim.input)) return null;
  return `the rules want ${claim.id} with ${canonicalJson(wanted.input)}.`;
}

interface Claim {
  readonly id?: string;
  /** It tells how an effect ended that may have begun before this: having been wanted then is enough. */
  readonly outcome?: true;
  readonly input?: JsonValue;
  readonly end?: string;
}

/** The effect whose beginning, or immediate end, an event stands for; null when it stands for none. */
function claimOf({ kernel }: State, event: KernelEvent): Claim | null {
  switch (event.type) {
    case "run.started":
      return { id: `run:${event.data.run}`, input: { run: event.data.run } };
    case "run.ended":
      // A fault of the rules themselves ends a run without being asked.
      return event.data.error?.code === "internal" ? null : { end: event.data.reason };
    case "model.requested":
      return { id: `model:${event.data.turn}.${event.data.attempt}`, input: json(event.data) };
    case "timer.set":
      return { id: `timer:${event.data.name}`, input: json(event.data) };
    case "tool.started":
      return { id: `call:${event.data.call}` };
    case "call.judged":
      return callIn(kernel, event.data.call)?.status === "new"
        ? { id: `judge:${event.data.call}`, outcome: true }
        : null;
    case "approval.requested": {
      const call = callIn(kernel, event.data.call);
      const asks = call?.status === "judged" || (call?.status === "asking" && call.asked !== kernel.token);
      return asks && call?.refused === false ? { id: `ask:${event.data.call}`, outcome: true } : null;
    }
    case "tool.finished": {
      const status = callIn(kernel, event.data.call)?.status ?? "finished";
      // What is started ends by itself; what is closed already stays as it is.
      return status === "started" || status === "finished" ? null : { id: `close:${event.data.call}`, outcome: true };
    }
    default:
      return null;
  }
}

function callIn(kernel: State["kernel"], key: string) {
  return kernel.open?.calls.find(({ call }) => call === key);
}

/** Event data as JSON, without the members that are absent. */
function json(data: object): JsonValue {
  const value: JsonValue = JSON.parse(JSON.stringify(data));
  return isJsonObject(value) ? value : null;
}
