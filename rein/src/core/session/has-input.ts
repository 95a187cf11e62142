import type { KernelState } from "./state.ts";

/** Whether an input waits that nobody has taken in. */
export function hasInput({ pending }: KernelState): boolean {
  return pending.some((input) => input.mode !== "erased");
}
