import type { SessionEvent } from "./event.ts";
import { pushItem } from "./reduce-history.ts";
import type { KernelState } from "./state.ts";

/**
 * State after an event whose data was erased. What is left is its type: an erased input keeps its place where a request has taken it;
 * an erased answer of the model is still an answer, so that nothing waits for it or asks again. An erased result leaves its call open until the next request closes the message; a session
 * that had not got so far treats the call as one whose outcome is unknown.
 */
export function reduceErased(state: KernelState, event: SessionEvent): KernelState {
  if (event.type === "input.received")
    return { ...state, pending: [...state.pending, { seq: event.seq, mode: "erased" }] };
  if (state.model.phase !== "requested") return state;
  if (event.type === "model.interrupted") return { ...state, model: { ...state.model, phase: "interrupted" } };
  if (event.type !== "model.responded") return state;
  const responded: KernelState = {
    ...state,
    model: { ...state.model, phase: "responded", stop: "end", failure: null },
  };
  return pushItem(responded, { kind: "assistant", seq: event.seq, calls: [] });
}
