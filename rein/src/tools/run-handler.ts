import type { Clock } from "../core/ports.ts";
import { startTimer } from "../core/start-timer.ts";
import { StopSignal } from "../core/stop-signal.ts";

/** How a handler ended. `value` of a stopped one is what it still returned while it was given time to end. */
export type HandlerEnd =
  | { readonly how: "returned"; readonly value: unknown }
  | { readonly how: "threw"; readonly thrown: unknown }
  | { readonly how: "timeout" | "interrupted"; readonly value: unknown };

/** What bounds a handler. */
export interface HandlerBounds {
  readonly clock: Clock;
  /** Interrupts it. */
  readonly stop: StopSignal;
  /** Milliseconds it may take. */
  readonly timeout: number;
  /** Milliseconds it is given to end after it was told to. */
  readonly grace: number;
}

/** One for all: without a reason Node makes an error with a stack each time. */
const OVER = new DOMException("The call is over.", "AbortError");

type Settled = Extract<HandlerEnd, { how: "returned" | "threw" }>;

/**
 * Runs a handler until it ends, its time is over, or it is interrupted. A stopped one is told by its own signal and given
 * `grace` to end its work; after that nobody waits for it, and its signal tells the hands to do nothing more for it.
 */
export async function runHandler(
  run: (stop: StopSignal) => Promise<unknown>,
  { clock, stop, timeout, grace }: HandlerBounds,
): Promise<HandlerEnd> {
  const own = new StopSignal();
  const settled = settle(run, own);
  const first = await firstOf<Settled | "timeout" | "interrupted">(settled, (end) => {
    const endTimer = startTimer(clock, timeout, () => end("timeout"));
    const endWatch = stop.onAbort(() => end("interrupted"));
    return () => {
      endTimer();
      endWatch();
    };
  });
  if (typeof first !== "string") {
    own.abort(OVER);
    return first;
  }
  own.abort();
  const late = await firstOf<Settled | null>(settled, (end) => startTimer(clock, grace, () => end(null)));
  return { how: first, value: late?.how === "returned" ? late.value : undefined };
}

/** What some work comes to, or what a watch over it says before; then the watch is ended. */
async function firstOf<Value>(
  work: Promise<Value>,
  watch: (end: (value: Value) => void) => () => void,
): Promise<Value> {
  const { promise, resolve } = Promise.withResolvers<Value>();
  const endWatch = watch(resolve);
  void work.then(resolve);
  const value = await promise;
  endWatch();
  return value;
}

async function settle(run: (stop: StopSignal) => Promise<unknown>, stop: StopSignal): Promise<Settled> {
  try {
    return { how: "returned", value: await run(stop) };
  } catch (thrown) {
    return { how: "threw", thrown };
  }
}
