import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import { createBrainBench } from "../../testing/brain-bench.ts";
import { createFakeTools } from "../../testing/fake-tools.ts";
import { readLog } from "../../testing/read-log.ts";
import { createScriptedModel } from "../../testing/scripted-model.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";

it("shows the arguments as the call would run with them", async () => {
  const clock = createVirtualClock();
  const store = createMemoryStore({ now: clock.now });
  const fake = createFakeTools({ act: { decision: "ask" } });
  const tools: typeof fake = {
    ...fake,
    judge: async (call) => ({ ...(await fake.judge(call)), input: { path: "/bench/a" } }),
  };
  const model = createScriptedModel([{ calls: [{ name: "act", input: { path: "a" } }] }]);
  const bench = createBrainBench({ store, clock, model, tools });
  expect((await bench.drive("s1", "go").finish()).reason).toBe("waiting");
  expect((await bench.drive("s1").finish()).reason).toBe("waiting");
  expect((await readLog(store, "s1", "approval.requested")).map(({ data }) => Object(data).shows)).toEqual([
    'act {"path":"/bench/a"}',
    'act {"path":"/bench/a"}',
  ]);
});
