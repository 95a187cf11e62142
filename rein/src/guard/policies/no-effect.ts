import type { Policy } from "../policy.ts";

/** Grants a call that touches nothing outside the session. */
export const noEffect: Policy = {
  name: "no-effect",
  grants: true,
  judge(call) {
    return call.places.every(({ effect }) => effect.kind === "state")
      ? { answer: "allow", reason: "The call changes nothing outside the session." }
      : undefined;
  },
};
