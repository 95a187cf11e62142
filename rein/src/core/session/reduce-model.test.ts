import { expect, it } from "vitest";
import type { SessionEvent } from "./event.ts";
import { initialKernelState } from "./initial-state.ts";
import { reduceKernel } from "./reduce-kernel.ts";
import type { KernelState } from "./state.ts";

const event = (seq: number, type: string, data: unknown): SessionEvent => ({
  session: "s1",
  seq,
  at: seq,
  type,
  version: 1,
  data,
});

const ERROR = { class: "transient", code: "model_overloaded", message: "Busy.", hint: "Wait." };

/** The second attempt of turn 2 is in flight. */
const asked: KernelState = reduceKernel(
  initialKernelState("s1"),
  event(1, "model.requested", {
    turn: 2,
    attempt: 2,
    model: "m",
    transition: "recovered",
    takes: [],
    escalated: false,
  }),
);

it("takes no outcome of another turn or attempt for that of the request in flight", () => {
  const late = [
    { type: "model.interrupted", data: { turn: 1, text: "Hm", by: "crash" } },
    { type: "model.failed", data: { turn: 1, attempt: 2, error: ERROR, duration: 1 } },
    { type: "model.failed", data: { turn: 2, attempt: 1, error: ERROR, duration: 1 } },
  ];
  for (const { type, data } of late) {
    const after = reduceKernel(asked, event(2, type, data));
    expect({ ...after, seq: 1 }).toEqual(asked);
  }
});

it("takes its own", () => {
  const interrupted = reduceKernel(asked, event(2, "model.interrupted", { turn: 2, text: "Hm", by: "crash" }));
  expect(interrupted.model.phase).toBe("interrupted");
  const failed = reduceKernel(asked, event(2, "model.failed", { turn: 2, attempt: 2, error: ERROR, duration: 1 }));
  expect(failed.model).toMatchObject({ phase: "failed", failures: 1 });
});
