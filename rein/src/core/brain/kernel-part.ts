import type { Result } from "../errors.ts";
import type { Effect, Part, State } from "../session/part.ts";
import { effect } from "./answers.ts";
import { kernelRules } from "./rules/index.ts";
import { askRunner, callRunner, closeRunner, judgeRunner } from "./runners/calls.ts";
import type { KernelPorts } from "./runners/kernel-ports.ts";
import { modelRunner } from "./runners/model.ts";
import { captureRunner, goalRunner, noticeRunner, person, runStart, timer } from "./runners/simple.ts";

/** The kernel as a part: its rules and the runners of its effects. Its slice and event types belong to every composition. */
export function kernelPart(ports: KernelPorts, blob: (hash: string) => Promise<Result<Uint8Array | null>>): Part {
  return {
    name: "kernel",
    events: {},
    initial: undefined,
    reduce: (slice) => slice,
    rules: kernelRules,
    begun,
    runners: () => ({
      "run-start": runStart,
      notice: noticeRunner,
      person,
      timer,
      capture: captureRunner(ports),
      goal: goalRunner(ports),
      model: modelRunner(ports, blob),
      judge: judgeRunner(ports),
      ask: askRunner(),
      close: closeRunner(),
      call: callRunner(ports),
    }),
  };
}

/** Effects of the kernel whose intent stands in the log without an outcome. */
function begun({ kernel }: State): readonly Effect[] {
  const effects: Effect[] = [];
  const { turn, attempt, phase } = kernel.model;
  if (phase === "requested") effects.push(effect(`model:${turn}.${attempt}`, "model", { turn, attempt }));
  for (const call of kernel.open?.calls ?? []) {
    if (call.status === "started") effects.push(effect(`call:${call.call}`, "call", { call: call.call }));
  }
  for (const [name, { fired, length }] of Object.entries(kernel.timers)) {
    if (!fired) effects.push(effect(`timer:${name}`, "timer", { name, length }));
  }
  return effects;
}
