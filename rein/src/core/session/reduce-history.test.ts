import { expect, it } from "vitest";
import { initialKernelState } from "./initial-state.ts";
import type { KernelEvents, KernelEventType, NewKernelEvent } from "./kernel-events.ts";
import { reduceKernel } from "./reduce-kernel.ts";
import type { KernelState } from "./state.ts";

const event = <T extends KernelEventType>(type: T, data: KernelEvents[T]): { type: T; data: KernelEvents[T] } => ({
  type,
  data,
});

const fold = (events: readonly Pick<NewKernelEvent, "type" | "data">[]): KernelState =>
  events.reduce(
    (state, { type, data }) => reduceKernel(state, { session: "s", seq: state.seq + 1, at: 0, type, version: 1, data }),
    initialKernelState("s"),
  );

const requested = event("model.requested", {
  turn: 1,
  attempt: 1,
  model: "m",
  transition: "start",
  takes: [],
  escalated: false,
});
const responded = event("model.responded", {
  turn: 1,
  content: [{ type: "tool_use", id: "t", name: "look", input: {} }],
  stop: "tool_use",
  usage: { input: 1, output: 1 },
  duration: 0,
});
const finished = event("tool.finished", { call: "2.0", outcome: "ok", content: [], duration: 0 });
const notice = event("notice.added", { kind: "x", text: "Mind the gap." });

it("puts a notice that comes while calls are open behind their results", () => {
  const { history } = fold([requested, responded, notice, finished]);
  expect(history.toJSON()).toEqual([
    { kind: "assistant", seq: 2, calls: [{ call: "2.0", result: 4 }] },
    { kind: "notice", seq: 3 },
  ]);
});

it("puts a notice that comes while a message is asked for behind that message", () => {
  const { history, late } = fold([
    requested,
    notice,
    event("model.responded", { ...responded.data, content: [{ type: "text", text: "a" }] }),
  ]);
  expect(history.toJSON()).toEqual([
    { kind: "assistant", seq: 3, calls: [] },
    { kind: "notice", seq: 2 },
  ]);
  expect(late).toEqual([]);
});

it("puts a notice that waits for an answer that never comes before the next request", () => {
  const failed = event("model.failed", {
    turn: 1,
    attempt: 1,
    error: { class: "transient", code: "model_overloaded", message: "m", hint: "h" },
    duration: 0,
  });
  const again = event("model.requested", { ...requested.data, attempt: 2 });
  expect(fold([requested, notice, failed, again]).history.toJSON()).toEqual([{ kind: "notice", seq: 2 }]);
});

it("keeps a message whose run ends before its calls have results, with those it has", () => {
  const ended = event("run.ended", { run: 1, reason: "failed" });
  const state = fold([requested, responded, notice, ended]);
  expect(state.open).toBeNull();
  expect(state.history.toJSON()).toEqual([
    { kind: "assistant", seq: 2, calls: [] },
    { kind: "notice", seq: 3 },
  ]);
});
