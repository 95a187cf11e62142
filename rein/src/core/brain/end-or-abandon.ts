import type { EffectContext } from "../session/part.ts";
import { startTimer } from "../start-timer.ts";
import { stopOf } from "../stop-signal.ts";

/** The value of some work; null when the signal aborted and the work had not ended `grace` milliseconds after that. */
export async function endOrAbandon<T>(
  work: Promise<T>,
  context: Pick<EffectContext, "signal" | "stop" | "clock">,
  grace: number,
): Promise<T | null> {
  const stop = stopOf(context);
  const { promise, resolve, reject } = Promise.withResolvers<T | null>();
  // Each turn comes through here twice, so no race, and no timer before there is an abort.
  let endTimer: () => void = () => undefined;
  const endWatch = stop.onAbort(() => {
    endTimer = startTimer(context.clock, grace, () => resolve(null));
  });
  work.then(resolve, reject);
  try {
    return await promise;
  } finally {
    endWatch();
    endTimer();
  }
}
