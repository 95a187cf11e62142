import type { Policy } from "../policy.ts";

/** Asks where the tool's own check said so. */
export const ownAsk: Policy = {
  name: "own-ask",
  grants: false,
  judge: (call) => (call.ownAsk === undefined ? undefined : { answer: "ask", reason: call.ownAsk }),
};
