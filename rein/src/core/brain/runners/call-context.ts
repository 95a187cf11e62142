import type { CallContext } from "../../ports.ts";
import type { Effect, EffectContext } from "../../session/part.ts";
import { type StopSignal, stopOf } from "../../stop-signal.ts";
import { callOf } from "./call-data.ts";
import { progressOf } from "./progress.ts";

/** What a running or reconciling tool may do. */
export function callContext(effect: Effect, context: EffectContext): CallContext {
  const call = callOf(effect);
  return new LazyCallContext(
    stopOf(context),
    (identity) => context.append([{ type: "process.started", data: { call, ...identity } }]),
    progressOf(call, context),
  );
}

/** Makes no signal for a tool that does not look at one. */
class LazyCallContext implements CallContext {
  readonly stop: StopSignal;
  readonly announce: CallContext["announce"];
  readonly progress: CallContext["progress"];

  constructor(stop: StopSignal, announce: CallContext["announce"], progress: CallContext["progress"]) {
    this.stop = stop;
    this.announce = announce;
    this.progress = progress;
  }

  get signal(): AbortSignal {
    return this.stop.signal;
  }
}
