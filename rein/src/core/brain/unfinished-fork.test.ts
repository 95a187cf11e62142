import { expect, it } from "vitest";
import { createMemoryStore } from "../../store/memory.ts";
import { ok, unwrap } from "../errors.ts";
import { createBrainBench } from "../testing/brain-bench.ts";
import { createFakeTools } from "../testing/fake-tools.ts";
import { readTypes } from "../testing/read-log.ts";
import { createScriptedModel, type ScriptedStep } from "../testing/scripted-model.ts";
import { createVirtualClock } from "../testing/virtual-clock.ts";

const IDENTITY = {
  host: "h",
  bootId: "b",
  pidNamespace: "n",
  pid: 7,
  pidStart: "1",
  group: 7,
  mark: "m",
};

/** A store in which a session is at work, and a fork of it whose process died before it wrote the fork's first event. */
async function unfinishedFork(step: ScriptedStep) {
  const store = createMemoryStore();
  const clock = createVirtualClock();
  const tools = createFakeTools({
    work: {
      run: async (_, { announce, signal }) => {
        unwrap(await announce(IDENTITY));
        await clock.sleep(1_000_000, signal);
        return "worked";
      },
    },
  });
  const parent = createBrainBench({ store, clock, tools, model: createScriptedModel([step]) });
  void parent.drive("parent", "go").finish();
  await clock.advance(10);
  const seq = unwrap(await store.head("parent"))?.seq ?? 0;
  unwrap(await store.fork("parent", seq, "child"));

  const ended: number[] = [];
  const model = createScriptedModel([{ text: "Here." }]);
  const hands = {
    endSurvivors: async ({ pid }: typeof IDENTITY) => {
      ended.push(pid);
      return ok({ ended: 1 });
    },
  };
  const child = createBrainBench({ store, clock, tools, model, hands });
  const end = await child.drive("child", "And you?").finish();
  return { reason: end.reason, ended, model, types: await readTypes(store, "child", seq + 1) };
}

it("leaves the processes of its parent alone", async () => {
  const { reason, ended, types } = await unfinishedFork({ calls: [{ name: "work" }] });
  expect([reason, ended]).toEqual(["done", []]);
  expect(types).toEqual([
    ...["session.forked", "tool.finished", "run.ended"],
    ...["brain.woke", "input.received", "run.started", "model.requested", "model.responded", "run.ended"],
  ]);
});

it("does not recover the request of its parent, and so asks once", async () => {
  const { reason, model, types } = await unfinishedFork({ hang: "Thinking" });
  expect([reason, model.requests.length]).toEqual(["done", 1]);
  expect(types).toEqual([
    ...["session.forked", "model.interrupted", "run.ended"],
    ...["brain.woke", "input.received", "run.started", "model.requested", "model.responded", "run.ended"],
  ]);
});
