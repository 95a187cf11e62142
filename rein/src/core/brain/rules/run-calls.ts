import type { Rule } from "../../session/part.ts";
import type { OpenCall } from "../../session/state.ts";
import { effect, wantOnly } from "../answers.ts";
import { conflicts } from "../conflicts.ts";

/** Calls that run at once when the session names no number. Source: `parallel safe calls`, docs/architecture.md. */
const DEFAULT_PARALLEL = 10;

/**
 * Calls run in their order; one may start when nothing unfinished before it conflicts with it. So neighbours that do not
 * conflict run together, and a person's answer holds up only what conflicts. While calls are open nothing behind this rule is asked.
 */
export const runCalls: Rule = {
  name: "run-calls",
  decide({ kernel }) {
    if (kernel.open === null) return undefined;
    const linear = kernel.settings?.linear === true;
    const bound = linear ? 1 : Math.max(1, kernel.settings?.parallel ?? DEFAULT_PARALLEL);
    const running: OpenCall[] = [];
    const before: OpenCall[] = [];
    for (const call of kernel.open.calls) {
      if (call.status === "finished") continue;
      if (call.judgement === null) break;
      if (
        isRunnable(call) &&
        running.length < bound &&
        !before.some((other) => conflicts(accesses(other), accesses(call)))
      ) {
        running.push(call);
      }
      before.push(call);
      if (linear) break;
    }
    return wantOnly(...running.map((call) => effect(`call:${call.call}`, "call", { call: call.call })));
  },
};

function isRunnable(call: OpenCall): boolean {
  if (call.status === "started" || call.status === "approved") return true;
  return call.status === "judged" && !call.refused && call.judgement?.decision === "allow";
}

function accesses(call: OpenCall) {
  return call.judgement?.accesses ?? [];
}
