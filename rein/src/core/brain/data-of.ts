import type { KernelEvents } from "../session/kernel-events.ts";

/** Data of a kernel event whose type the state vouches for; undefined when it was erased. The one place that takes the state's word. */
export function dataOf<T extends keyof KernelEvents>(_type: T, data: unknown): KernelEvents[T] | undefined {
  return data === undefined || data === null ? undefined : (data as KernelEvents[T]);
}
