import type { CallContext } from "../../ports.ts";
import type { Effect, EffectContext } from "../../session/part.ts";
import { callOf } from "./call-data.ts";
import { progressOf } from "./progress.ts";

/** What a running or reconciling tool may do. */
export function callContext(effect: Effect, context: EffectContext): CallContext {
  const call = callOf(effect);
  return {
    signal: context.signal,
    announce: (identity) => context.append([{ type: "process.started", data: { call, ...identity } }]),
    progress: progressOf(call, context),
  };
}
