import type { Result } from "../errors.ts";
import type { Effect, Part, State } from "../session/part.ts";
import { effect } from "./answers.ts";
import { kernelRules } from "./rules/index.ts";
import { ask } from "./runners/ask.ts";
import { callRunner } from "./runners/call.ts";
import { captureRunner } from "./runners/capture.ts";
import { close } from "./runners/close.ts";
import { goalRunner } from "./runners/goal.ts";
import { judgeRunner } from "./runners/judge.ts";
import type { KernelPorts } from "./runners/kernel-ports.ts";
import { modelRunner } from "./runners/model.ts";
import { notice } from "./runners/notice.ts";
import { person } from "./runners/person.ts";
import { runStart } from "./runners/run-start.ts";
import { timer } from "./runners/timer.ts";

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
      notice,
      person,
      timer,
      capture: captureRunner(ports),
      goal: goalRunner(ports),
      model: modelRunner(ports, blob),
      judge: judgeRunner(ports),
      ask,
      close,
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
