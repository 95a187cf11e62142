import type { Clock } from "../ports.ts";
import type { EffectContext } from "../session/part.ts";

/** The value of some work; null when the signal aborted and the work had not ended `grace` milliseconds after that. */
export function endOrAbandon<T>(
  work: Promise<T>,
  { signal, clock }: Pick<EffectContext, "signal" | "clock">,
  grace: number,
): Promise<T | null> {
  if (signal.aborted) return withinGrace(work, clock, grace);
  // Each turn comes through here twice, so no race and no timer before there is an abort.
  return new Promise((resolve, reject) => {
    const leave = (): void => void withinGrace(work, clock, grace).then(resolve, reject);
    const stay = (): void => signal.removeEventListener("abort", leave);
    signal.addEventListener("abort", leave, { once: true });
    work.then(resolve, reject).finally(stay);
  });
}

async function withinGrace<T>(work: Promise<T>, clock: Clock, grace: number): Promise<T | null> {
  const over = new AbortController();
  try {
    return await Promise.race([work, clock.sleep(grace, over.signal).then(() => null)]);
  } finally {
    over.abort("over");
  }
}
