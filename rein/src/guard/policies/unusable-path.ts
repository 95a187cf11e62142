import type { Policy } from "../policy.ts";

/** Denies a call with a path that can't be followed: where it leads nobody can judge. */
export const unusablePath: Policy = {
  name: "unusable-path",
  grants: false,
  judge(call) {
    const fault = call.places.find((place) => place.fault !== undefined)?.fault;
    return fault && { answer: "deny", reason: `${fault.message} ${fault.hint}` };
  },
};
