import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import { ok, unwrap } from "../../errors.ts";
import { initialKernelState, type State } from "../../session/index.ts";
import { createBenchWorld } from "../../testing/bench-world.ts";
import { createBrainBench } from "../../testing/brain-bench.ts";
import { createFakeTools } from "../../testing/fake-tools.ts";
import { noRedact, noSurvivors, plainContext } from "../../testing/plain-ports.ts";
import { readLog } from "../../testing/read-log.ts";
import { createScriptedModel } from "../../testing/scripted-model.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";
import { callRunner } from "./call.ts";

it("measures by the clock that only grows", async () => {
  const clock = createVirtualClock();
  const { run, data } = createBenchWorld({
    store: createMemoryStore({ now: clock.now }),
    clock,
    script: [{ calls: [{ name: "act" }] }, { text: "Done." }],
    tools: {
      act: {
        run: async () => {
          await clock.sleep(1_500);
          clock.step(-3_600_000);
          return "";
        },
      },
    },
  });
  await run("go");
  expect(await data("tool.finished")).toMatchObject([{ duration: 1_500 }]);
});

it("turns a fault of the tools room into a result that names tool, error and what to try", async () => {
  const clock = createVirtualClock();
  const store = createMemoryStore({ now: clock.now });
  const model = createScriptedModel([{ calls: [{ name: "act" }] }, { text: "Done." }]);
  const tools = {
    ...createFakeTools({ act: {} }),
    execute: () => Promise.reject(new Error("Cannot read properties of undefined.")),
  };
  await createBrainBench({ store, clock, model, tools }).drive("s1", "go").finish();
  expect(await readLog(store, "s1", "tool.finished")).toMatchObject([
    {
      data: {
        outcome: "error",
        errorType: "tool_failed",
        content: [
          {
            text: "act: tool_failed. Cannot read properties of undefined. This is a fault of the tool's adapter, not of the arguments.",
          },
        ],
      },
    },
  ]);
});

it("hands the blobs of a result to the commit of the result", async () => {
  const clock = createVirtualClock();
  const store = createMemoryStore({ now: clock.now });
  const model = createScriptedModel([{ calls: [{ name: "act" }] }, { text: "Done." }]);
  const hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  const tools = {
    ...createFakeTools({ act: {} }),
    execute: async () => ({ outcome: "ok" as const, content: [], blobs: [{ hash, bytes: Buffer.from("abc") }] }),
  };
  await createBrainBench({ store, clock, model, tools }).drive("s1", "go").finish();
  expect(Buffer.from(unwrap(await store.blob(hash)) ?? []).toString()).toBe("abc");
  expect((await readLog(store, "s1", "tool.finished"))[0]?.data).not.toHaveProperty("blobs");
});

it("never begins a call twice that began and of whose end nothing is known", () => {
  const ports = {
    model: createScriptedModel([]),
    tools: createFakeTools({}),
    context: plainContext,
    redact: noRedact,
    hands: noSurvivors,
  };
  const open = {
    seq: 8,
    turn: 1,
    calls: [
      {
        call: "8.0",
        name: "act",
        status: "started" as const,
        judgement: null,
        judged: null,
        attempt: 1,
        cut: false,
        processes: [],
        approved: null,
        asked: null,
        refused: false,
        answered: null,
        outcome: null,
        result: null,
      },
    ],
  };
  const state: State = { kernel: { ...initialKernelState("s"), open }, slices: {} };
  const started = callRunner(ports).start(
    { id: "call:8.0", kind: "call", input: { call: "8.0" } },
    {
      signal: new AbortController().signal,
      clock: createVirtualClock(),
      session: "s",
      state: () => state,
      load: async () => ok(undefined),
      append: async () => ok(undefined),
      emit: () => undefined,
      scratch: async () => ok(undefined),
      saved: null,
    },
    () => undefined,
  );
  expect(started).toMatchObject({ outcome: [{ type: "tool.finished", data: { call: "8.0", outcome: "unknown" } }] });
  expect(started.go).toBeUndefined();
});
