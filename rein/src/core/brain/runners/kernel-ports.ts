import type { Context, Hands, Model, Redact, Tools } from "../../ports.ts";
import type { KernelEvents } from "../../session/kernel-events.ts";

/** What the kernel's runners need of the other rooms. */
export interface KernelPorts {
  readonly model: Model;
  readonly tools: Tools;
  readonly context: Context;
  readonly redact: Redact;
  /** Only to end survivors of a crash: acting is for the tools, with permits. */
  readonly hands: Pick<Hands, "endSurvivors">;
  /** Measures of goals by name. */
  readonly measures?: Readonly<Record<string, () => number | Promise<number>>>;
  /** Output tokens asked for normally and once raised; absent: the model's own maximum. */
  readonly maxOutput?: { readonly normal?: number; readonly raised?: number };
}

/** Data of a kernel event that the state names, so its type is known. */
export function dataOf<T extends keyof KernelEvents>(_type: T, data: unknown): KernelEvents[T] | undefined {
  return data === undefined || data === null ? undefined : (data as KernelEvents[T]);
}
