import type { Clock } from "../core/ports.ts";

/** How a handler ended. `value` of a stopped one is what it still returned while it was given time to end. */
export type HandlerEnd =
  | { readonly how: "returned"; readonly value: unknown }
  | { readonly how: "threw"; readonly thrown: unknown }
  | { readonly how: "timeout" | "interrupted"; readonly value: unknown };

/** What bounds a handler. */
export interface HandlerBounds {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Milliseconds it may take. */
  readonly timeout: number;
  /** Milliseconds it is given to end after it was told to. */
  readonly grace: number;
}

/** One for all: without a reason Node makes an error with a stack each time. */
const OVER = new DOMException("The call is over.", "AbortError");

type Settled = Extract<HandlerEnd, { how: "returned" | "threw" }>;

/**
 * Runs a handler until it ends, its time is over, or the signal aborts. A stopped one is told by its own signal and given
 * `grace` to end its work; after that nobody waits for it, and its signal tells the hands to do nothing more for it.
 */
export async function runHandler(
  run: (signal: AbortSignal) => Promise<unknown>,
  bounds: HandlerBounds,
): Promise<HandlerEnd> {
  const { clock, signal, timeout, grace } = bounds;
  const own = new AbortController();
  const timers = new AbortController();
  const settled: Promise<Settled> = settle(run, own.signal);
  const interrupt = Promise.withResolvers<"interrupted">();
  const onAbort = (): void => interrupt.resolve("interrupted");
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    const timedOut = clock.sleep(timeout, timers.signal).then(() => "timeout" as const);
    const first = await Promise.race([settled, timedOut, interrupt.promise]);
    if (typeof first !== "string") return first;
    own.abort();
    const late = await Promise.race([settled, clock.sleep(grace, timers.signal)]);
    return { how: first, value: late?.how === "returned" ? late.value : undefined };
  } finally {
    own.abort(OVER);
    timers.abort(OVER);
    signal.removeEventListener("abort", onAbort);
  }
}

async function settle(run: (signal: AbortSignal) => Promise<unknown>, signal: AbortSignal): Promise<Settled> {
  try {
    return { how: "returned", value: await run(signal) };
  } catch (thrown) {
    return { how: "threw", thrown };
  }
}
