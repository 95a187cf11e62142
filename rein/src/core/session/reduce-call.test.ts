import { expect, it } from "vitest";
import type { SessionEvent } from "./event.ts";
import { initialKernelState } from "./initial-state.ts";
import { reduceKernel } from "./reduce-kernel.ts";

const DIGEST = "d".repeat(64);
const JUDGED = { call: "2.0", decision: "ask", policy: "p", reason: "r", digest: DIGEST, effects: [], readOnly: false };
const ASKED = { call: "2.0", digest: DIGEST, shows: "save" };

/** The open call behind a request, its message, its judgement and these events. */
function callAfter(...events: readonly (readonly [type: string, data: unknown])[]) {
  const before = [
    ["model.requested", { turn: 1, attempt: 1, model: "m", transition: "start", takes: [], escalated: false }],
    [
      "model.responded",
      {
        turn: 1,
        content: [{ type: "tool_use", id: "a", name: "save", input: {} }],
        stop: "tool_use",
        usage: { input: 1, output: 1 },
        duration: 1,
      },
    ],
    ["call.judged", { ...JUDGED, recover: "never", accesses: [] }],
  ] as const;
  const all = [...before, ...events].map(
    ([type, data], index): SessionEvent => ({ session: "s1", seq: index + 1, at: 0, type, version: 1, data }),
  );
  return all.reduce(reduceKernel, initialKernelState("s1")).open?.calls[0];
}

it("is not asked about again once a person said no", () => {
  const no = { commandId: "c", call: "2.0", digest: DIGEST, answer: "deny" };
  const yes = { commandId: "d", call: "2.0", digest: DIGEST, answer: "approve" };
  const refused = callAfter(["approval.requested", ASKED], ["approval.answered", no]);
  expect(refused).toMatchObject({ status: "judged", refused: true });
  // The question of a second life was still on its way when the answer came.
  expect(callAfter(["approval.requested", ASKED], ["approval.answered", no], ["approval.requested", ASKED])).toEqual(
    refused,
  );
  const late = callAfter(
    ["approval.requested", ASKED],
    ["approval.answered", no],
    ["approval.requested", ASKED],
    ["approval.answered", yes],
  );
  expect(late).toEqual(refused);
});
