import { own } from "../../json.ts";
import type { EndReason } from "../../session/kernel-events.ts";
import type { Rule, State } from "../../session/part.ts";
import { effect, end, HOLD, wantOnly } from "../answers.ts";
import { deadlineOf } from "./deadline.ts";

/** An interrupt, a kill or a deadline: nothing is wanted any more, open calls get their results, then the run ends. */
export const stopping: Rule = {
  name: "stopping",
  decide(state) {
    const reason = stopReason(state);
    if (reason === null) return undefined;
    const { model, open } = state.kernel;
    if (model.phase === "requested") return HOLD;
    if (open === null) return end(reason);
    const waiting = open.calls.filter((call) => call.status !== "started" && call.status !== "finished");
    return wantOnly(
      ...waiting.map((call) => effect(`close:${call.call}`, "close", { call: call.call, outcome: "interrupted" })),
    );
  },
};

function stopReason({ kernel }: State): EndReason | null {
  if (kernel.run.stopping !== null) return kernel.run.stopping;
  const deadline = deadlineOf(kernel);
  return deadline !== null && own(kernel.timers, deadline.name)?.fired === true ? "max_time" : null;
}
