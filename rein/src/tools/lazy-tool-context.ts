import type { StopSignal } from "../core/stop-signal.ts";
import type { ToolContext } from "./tool-context.ts";

/** The context of a call, whose signal is made when the tool first asks for it: most never do. */
export class LazyToolContext implements ToolContext {
  /** An own member, so that a copy of the context has it; one getter for all, so that all are of one shape. */
  static readonly #signal = {
    enumerable: true,
    get(this: LazyToolContext): AbortSignal {
      return this.#stop.signal;
    },
  };

  declare readonly signal: AbortSignal;
  readonly session: string;
  readonly call: string;
  readonly folder: string;
  readonly limit: number;
  readonly elapsed: ToolContext["elapsed"];
  readonly progress: ToolContext["progress"];
  readonly hands: ToolContext["hands"];
  readonly #stop: StopSignal;

  constructor(
    { session, call, folder, limit, elapsed, progress, hands }: Omit<ToolContext, "signal">,
    stop: StopSignal,
  ) {
    this.session = session;
    this.call = call;
    this.folder = folder;
    this.limit = limit;
    this.elapsed = elapsed;
    this.progress = progress;
    this.hands = hands;
    this.#stop = stop;
    Object.defineProperty(this, "signal", LazyToolContext.#signal);
  }
}
