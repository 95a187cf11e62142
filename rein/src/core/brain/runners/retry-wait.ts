import type { ErrorCode } from "../../errors.ts";
import type { Clock } from "../../ports.ts";

/** First wait after a transient failure, doubled with each, milliseconds. Source: `back-off`, docs/architecture.md. */
const BACK_OFF = 1_000;
const LONGEST_BACK_OFF = 60_000;
/** Most added at random. */
const JITTER = 1_000;
/** Wait for a rate limit whose end the server does not name, milliseconds. Source: `retry-after`, docs/architecture.md. */
const RATE_LIMIT_WAIT = 60_000;

/** How long to wait before the next attempt after so many failures, where the server named no time. */
export function retryWait(code: ErrorCode, failures: number, clock: Clock): number {
  if (code === "model_rate_limited") return RATE_LIMIT_WAIT;
  return Math.min(BACK_OFF * 2 ** failures, LONGEST_BACK_OFF) + Math.floor(clock.random() * JITTER);
}
