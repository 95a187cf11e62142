import type { ClosedCall, HistoryItem, KernelState, OpenMessage } from "./state.ts";

/** Adds a notice to the history, or behind the open calls when there are any: results come right after their calls. */
export function pushNotice(state: KernelState, seq: number): KernelState {
  if (state.open !== null || state.model.phase === "requested") return { ...state, late: [...state.late, seq] };
  return { ...state, history: state.history.push({ kind: "notice", seq }) };
}

/** Adds an entry and behind it the notices that had to wait. */
export function pushItem(state: KernelState, item: HistoryItem): KernelState {
  let history = state.history.push(item);
  for (const seq of state.late) history = history.push({ kind: "notice", seq });
  return { ...state, history, late: [] };
}

/** Moves the open message into the history once each of its calls has a result. */
export function closeWhenComplete(state: KernelState, open: OpenMessage): KernelState {
  const calls: ClosedCall[] = [];
  for (const call of open.calls) {
    if (call.result === null) return { ...state, open };
    calls.push({ call: call.call, result: call.result });
  }
  return pushItem({ ...state, open: null }, { kind: "assistant", seq: open.seq, calls });
}
