import { ReinFailure } from "rein";
import type { Output } from "./output.ts";
import type { RunFlags } from "./run-options.ts";

/** Does the work of a run; with `--output json` a failure before or outside the run is told as the one JSON object too. */
export async function withJsonFailure<T>(output: Output, form: RunFlags["output"], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (form === "json" && thrown instanceof ReinFailure) {
      const { class: kind, code, message, hint } = thrown.error;
      const error = { class: kind, code, message, hint };
      output.text(
        `${JSON.stringify({ session: null, reason: "failed", text: "", usage: null, waiting: [], error })}\n`,
      );
    }
    throw thrown;
  }
}
