import { randomId, randomNumber } from "./agent-random.ts";
import type { Clock } from "./core/ports.ts";

/** A longer timer would fire at once. Source: Node.js, `setTimeout`. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** The system's clock and chance. */
export const systemClock: Clock = {
  now: () => Date.now(),
  // Not `performance.now()`, with which Node.js loads 2 MB of what nobody uses.
  monotonic: () => {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1_000 + nanoseconds / 1e6;
  },
  id: randomId,
  random: randomNumber,
  sleep: async (ms, signal) => {
    for (let left = ms; left > 0 && signal?.aborted !== true; left -= LONGEST_TIMER) {
      await sleepOnce(Math.min(left, LONGEST_TIMER), signal);
    }
  },
  breathe: () => new Promise((resolve) => setImmediate(resolve)),
  after: (ms, call) => {
    const timer = setTimeout(call, Math.min(ms, LONGEST_TIMER));
    return () => clearTimeout(timer);
  },
};

function sleepOnce(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done, { once: true });
  });
}
