import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import { createBenchWorld } from "../../testing/bench-world.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";

it.each([
  ["refusal", "The model refused."],
  ["content_filter", "The provider's content filter stopped the answer."],
] as const)("ends the run on %s, and never asks again", async (stop, message) => {
  const clock = createVirtualClock();
  const settings = { models: ["first", "second"] };
  const { run, model } = createBenchWorld({
    store: createMemoryStore({ now: clock.now }),
    clock,
    settings,
    script: [{ text: "I can't.", stop }],
  });
  expect(await run("go")).toMatchObject({
    reason: "refused",
    error: { code: "model_refused", message },
    text: "I can't.",
  });
  model.assertDone();
});

it("does not run the calls of a message that ended in a refusal before it has ended", async () => {
  const clock = createVirtualClock();
  const { run, types } = createBenchWorld({
    store: createMemoryStore({ now: clock.now }),
    clock,
    script: [{ text: "No.", stop: "refusal" }],
  });
  await run("go");
  expect(await types(7)).toEqual(["model.requested", "model.responded", "run.ended"]);
});
