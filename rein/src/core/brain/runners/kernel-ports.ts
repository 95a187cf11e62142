import type { Context, Hands, Model, Redact, Tools } from "../../ports.ts";

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
