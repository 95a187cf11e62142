import { expect, it } from "vitest";
import { createMemoryStore } from "../../store/memory.ts";
import { type Command, initialKernelState, type State } from "../session/index.ts";
import { createBenchWorld } from "../testing/bench-world.ts";
import { createVirtualClock } from "../testing/virtual-clock.ts";
import { commandEvent, eventOfCommand } from "./command-event.ts";

const world = () => {
  const clock = createVirtualClock();
  const tools = { act: { decision: "ask" as const } };
  const script = [{ calls: [{ name: "act" }] }];
  return createBenchWorld({ store: createMemoryStore({ now: clock.now }), clock, tools, script });
};

const empty: State = { kernel: initialKernelState("s"), slices: {} };

const refusal = (state: State, command: Command) => {
  const event = eventOfCommand(state, "c", command);
  return event.type === "command.refused" ? event.data.reason : event.type;
};

it("names the state that an illegal command meets", async () => {
  const { run, send } = world();
  const waiting = (await run("go")).state;
  expect(refusal(waiting, { kind: "resume" })).toBe("The session is waiting.");
  await send({ kind: "pause" });
  const paused = (await run()).state;
  expect(refusal(paused, { kind: "pause" })).toBe("The session is paused.");
  await send({ kind: "interrupt" });
  const interrupted = (await run()).state;
  expect(refusal(interrupted, { kind: "interrupt" })).toBe("The session is idle.");
  expect(refusal(interrupted, { kind: "stop" })).toBe("The session is idle.");
  await send({ kind: "kill", reason: "enough" });
  const killed = (await run()).state;
  for (const kind of ["interrupt", "stop", "pause", "resume"] as const) {
    expect(refusal(killed, { kind })).toBe("The session is terminated.");
  }
  expect(refusal(killed, { kind: "kill", reason: "again" })).toBe("The session is terminated.");
});

it("accepts each command where it makes sense", async () => {
  const { state } = await world().run("go");
  const digest = state.kernel.open?.calls[0]?.judgement?.digest ?? "";
  expect(eventOfCommand(state, "c", { kind: "interrupt" })).toEqual({
    type: "run.interrupted",
    data: { commandId: "c", by: "command" },
  });
  expect(eventOfCommand(state, "c", { kind: "stop" })).toEqual({ type: "run.stopped", data: { commandId: "c" } });
  expect(eventOfCommand(state, "c", { kind: "pause" })).toEqual({ type: "run.paused", data: { commandId: "c" } });
  expect(eventOfCommand(state, "c", { kind: "kill", reason: "r" })).toEqual({
    type: "run.killed",
    data: { commandId: "c", reason: "r" },
  });
  expect(eventOfCommand(state, "c", { kind: "approve", call: "8.0", digest, note: "fine" })).toEqual({
    type: "approval.answered",
    data: { commandId: "c", call: "8.0", digest, answer: "approve", note: "fine" },
  });
});

it("refuses an answer about a call that does not wait for one", async () => {
  const { state } = await world().run("go");
  expect(refusal(state, { kind: "approve", call: "9.0" })).toBe("No such call is open.");
  expect(refusal(empty, { kind: "approve", call: "8.0" })).toBe("No such call is open.");
});

it("binds an answer that names no digest to the call as it is", async () => {
  const { state } = await world().run("go");
  const digest = state.kernel.open?.calls[0]?.judgement?.digest;
  expect(eventOfCommand(state, "c", { kind: "deny", call: "8.0" })).toMatchObject({ data: { digest, answer: "deny" } });
});

it("refuses everything once a kill is on its way", async () => {
  const { state } = await world().run("go");
  const kernel = { ...state.kernel, run: { ...state.kernel.run, stopping: "killed" as const } };
  expect(refusal({ ...state, kernel }, { kind: "approve", call: "8.0" })).toBe("The session is terminated.");
});

it("records what is no command as refused, with what is wrong", () => {
  const entry = { commandId: "c", session: "s", payload: '{"kind":"kill"}', putAt: 0 };
  expect(commandEvent(empty, entry)).toEqual({
    type: "command.refused",
    data: { commandId: "c", kind: "kill", reason: "Its reason is no text." },
  });
});
