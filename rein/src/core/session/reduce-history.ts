/** How entries get into the history. Results come right after their calls, so what is said meanwhile waits in `late`. */
import type { ClosedCall, HistoryItem, KernelState, OpenMessage } from "./state.ts";

/** Adds a notice to the history, or behind the open calls when there are any. */
export function pushNotice(state: KernelState, seq: number): KernelState {
  if (state.open !== null || state.model.phase === "requested") return { ...state, late: [...state.late, seq] };
  return { ...state, history: state.history.push({ kind: "notice", seq }) };
}

/** Adds an entry and behind it the notices that had to wait. */
export function pushItem(state: KernelState, item: HistoryItem): KernelState {
  return pushLate({ ...state, history: state.history.push(item) });
}

/** Adds the notices that had to wait. */
export function pushLate(state: KernelState): KernelState {
  if (state.late.length === 0) return state;
  let history = state.history;
  for (const seq of state.late) history = history.push({ kind: "notice", seq });
  return { ...state, history, late: [] };
}

/** Moves the open message into the history once each of its calls has a result. */
export function closeWhenComplete(state: KernelState, open: OpenMessage): KernelState {
  return open.calls.every((call) => call.result !== null) ? closeMessage(state, open) : { ...state, open };
}

/** Moves the open message, if there is one, into the history as it is: a call without a result gets one in the projection. */
export function closeNow(state: KernelState): KernelState {
  return state.open === null ? pushLate(state) : closeMessage(state, state.open);
}

function closeMessage(state: KernelState, { seq, calls }: OpenMessage): KernelState {
  const closed: ClosedCall[] = [];
  for (const { call, result } of calls) if (result !== null) closed.push({ call, result });
  return pushItem({ ...state, open: null }, { kind: "assistant", seq, calls: closed });
}
