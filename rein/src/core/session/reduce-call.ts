/** The fold of the events of calls. A result for a call that is not open, or a second result, changes nothing. */
import type { SessionEvent } from "./event.ts";
import type { KernelEvents } from "./kernel-events.ts";
import { closeWhenComplete } from "./reduce-history.ts";
import type { KernelState, OpenCall } from "./state.ts";

type CallEventType =
  | "call.judged"
  | "approval.requested"
  | "approval.answered"
  | "tool.started"
  | "process.started"
  | "tool.requeued"
  | "tool.finished";
type CallEvent = { [K in CallEventType]: SessionEvent<K, KernelEvents[K]> }[CallEventType];

/** State after an event of a call. */
export function reduceCall(state: KernelState, event: CallEvent): KernelState {
  const open = state.open;
  if (open === null) return state;
  const index = open.calls.findIndex((call) => call.call === event.data.call);
  const before = open.calls[index];
  if (before === undefined || before.status === "finished") return state;
  const after = reduceOne(before, event, state.token);
  if (after === before) return state;
  const calls = open.calls.with(index, after);
  if (event.type !== "tool.finished") return { ...state, open: { seq: open.seq, turn: open.turn, calls } };
  const complete = calls.every((call) => call.result !== null);
  return closeWhenComplete(complete ? { ...state, spin: spinOf(state.spin, calls) } : state, { ...open, calls });
}

function reduceOne(call: OpenCall, event: CallEvent, token: number): OpenCall {
  switch (event.type) {
    case "call.judged": {
      if (call.status !== "new") return call;
      const { decision, digest, readOnly, recover, accesses } = event.data;
      return {
        ...call,
        status: "judged",
        judged: event.seq,
        judgement: { decision, digest, readOnly, recover, accesses },
      };
    }
    case "approval.requested":
      // A question that was on its way when a person said no is answered already.
      if (call.refused || (call.status !== "judged" && call.status !== "asking")) return call;
      return { ...call, status: "asking", asked: token };
    case "approval.answered":
      if (call.status !== "asking") return call;
      return event.data.answer === "approve"
        ? { ...call, status: "approved", approved: event.data.digest, answered: event.seq }
        : { ...call, status: "judged", refused: true, answered: event.seq };
    case "tool.started":
      return { ...call, status: "started", attempt: event.data.attempt };
    case "tool.requeued":
      return call.status === "started" ? { ...call, status: call.approved === null ? "judged" : "approved" } : call;
    case "process.started":
      return { ...call, processes: [...call.processes, event.seq] };
    case "tool.finished":
      return { ...call, status: "finished", outcome: event.data.outcome, result: event.seq };
  }
}

function spinOf(spin: KernelState["spin"], calls: readonly OpenCall[]): KernelState["spin"] {
  let { digest, count, reported } = spin;
  for (const call of calls) {
    const own = call.judgement?.digest ?? "";
    if (own !== "" && own === digest) {
      count += 1;
      continue;
    }
    digest = own;
    count = 1;
    reported = false;
  }
  return { digest, count, reported };
}
