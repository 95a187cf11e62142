import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import { createBenchWorld } from "../../testing/bench-world.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";

it("takes a follow-up when the model is done, one at a time", async () => {
  const clock = createVirtualClock();
  const { start, send, messages, data } = createBenchWorld({
    store: createMemoryStore({ now: clock.now }),
    clock,
    script: [{ text: "One.", pace: () => clock.sleep(1_000) }, { text: "Two." }, { text: "Three." }],
  });
  const { end } = await start("one");
  await send({ kind: "input", mode: "follow-up", content: [{ type: "text", text: "two" }] });
  await send({ kind: "input", mode: "follow-up", content: [{ type: "text", text: "three" }] });
  await clock.advance(1_000);
  expect(await end).toMatchObject({ reason: "done", text: "Three." });
  expect(messages(2)).toEqual([
    { role: "user", content: [{ type: "text", text: "one" }] },
    { role: "assistant", content: [{ type: "text", text: "One." }] },
    { role: "user", content: [{ type: "text", text: "two" }] },
    { role: "assistant", content: [{ type: "text", text: "Two." }] },
    { role: "user", content: [{ type: "text", text: "three" }] },
  ]);
  expect((await data("model.requested")).map((request) => Object(request).transition)).toEqual([
    "start",
    "follow_up",
    "follow_up",
  ]);
  expect(await data("run.started")).toEqual([{ run: 1 }]);
});
