import { expect, it } from "vitest";
import type { CallContext, PendingCall } from "../ports.ts";
import { BENCH_SETTINGS } from "./brain-bench.ts";
import { createFakeTools } from "./fake-tools.ts";
import { createFaultyTools, type ToolFault } from "./faulty-tools.ts";
import { createRandom } from "./random.ts";
import { createVirtualClock } from "./virtual-clock.ts";

const call: PendingCall = {
  session: "s",
  call: "1.0",
  name: "work",
  input: {},
  settings: BENCH_SETTINGS,
  offered: ["work"],
};

/** How a call under a fault ends: its outcome, what was thrown or that nobody answers; and how often the work was done. */
async function play(fault: ToolFault, abort: boolean): Promise<{ readonly end: string; readonly work: number }> {
  const clock = createVirtualClock();
  let work = 0;
  const run = (_: PendingCall, { signal }: CallContext): string => {
    if (!signal.aborted) work += 1;
    return "worked";
  };
  const tools = createFaultyTools(createFakeTools({ work: { run } }), {
    random: createRandom(1),
    clock,
    chances: { [fault]: 1 },
    crash: () => new Promise(() => undefined),
  });
  const signal = abort ? AbortSignal.abort() : new AbortController().signal;
  const context: CallContext = {
    signal,
    announce: async () => ({ ok: true, value: undefined }),
    progress: () => undefined,
  };
  let end = "no answer";
  void (async () => {
    try {
      const { outcome, errorType } = await tools.execute(call, await tools.judge(call), null, context);
      end = errorType === undefined ? outcome : `${outcome} ${errorType}`;
    } catch {
      end = "thrown";
    }
  })();
  await clock.advance(0);
  await clock.advance(60_000);
  return { end, work };
}

it("ends each faulty call as its fault says, with its work done or not", async () => {
  expect(await play("throw", false)).toEqual({ end: "thrown", work: 0 });
  expect(await play("throw-after", false)).toEqual({ end: "thrown", work: 1 });
  expect(await play("timeout", false)).toEqual({ end: "error tool_timeout", work: 0 });
  expect(await play("hang", false)).toEqual({ end: "no answer", work: 0 });
  expect(await play("hang", true)).toEqual({ end: "interrupted interrupted", work: 0 });
  expect(await play("crash-before-effect", false)).toEqual({ end: "no answer", work: 0 });
  expect(await play("crash-after-effect", false)).toEqual({ end: "no answer", work: 1 });
});

it("works on behind the abort when it is deaf", async () => {
  expect(await play("deaf", true)).toEqual({ end: "ok", work: 1 });
});
