import type { Policy } from "../policy.ts";

/**
 * Grants a call that touches nothing outside this process, where the tool's author said that it is harmless: it is
 * read-only, or its access level is `public`. What an author has not said is not taken for granted.
 */
export const noEffect: Policy = {
  name: "no-effect",
  grants: true,
  judge(call) {
    if (!call.places.every(({ effect }) => effect.kind === "state")) return undefined;
    if (call.readOnly) return { answer: "allow", reason: "The call changes nothing." };
    if (call.isPublic !== true) return undefined;
    return { answer: "allow", reason: "The tool is public, and the call touches nothing outside this process." };
  },
};
