import { below } from "../path-pattern.ts";
import type { JudgedCall, Place, Policy } from "../policy.ts";

/** Grants a call that only reads, and only where the real path lies in the real workspace. */
export const workspaceRead: Policy = {
  name: "workspace-read",
  grants: true,
  judge(call) {
    return call.places.length > 0 && call.places.every((place) => isHarmless(place, call))
      ? { answer: "allow", reason: "The call only reads inside the workspace." }
      : undefined;
  },
};

/** Whether an effect needs no rule: it reads inside the workspace, or it stays inside this process and the tool is public. */
export function isHarmless({ effect, real }: Place, call: JudgedCall): boolean {
  if (effect.kind === "state") return call.isPublic === true;
  const reads = effect.kind === "read" || effect.kind === "read-tree";
  return reads && real !== undefined && below(call.anchors.workspace, real) !== null;
}
