import type { Rule } from "../../session/part.ts";
import { effect, want } from "../answers.ts";

/** Each new call of the open message is judged; one that was cut with its message is closed unjudged. */
export const judgeCalls: Rule = {
  name: "judge-calls",
  decide({ kernel }) {
    const fresh = kernel.open?.calls.filter((call) => call.status === "new") ?? [];
    if (fresh.length === 0) return undefined;
    return want(
      ...fresh.map((call) =>
        call.cut
          ? effect(`close:${call.call}`, "close", { call: call.call, outcome: "cancelled" })
          : effect(`judge:${call.call}`, "judge", { call: call.call }),
      ),
    );
  },
};
