import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import { createBenchWorld } from "../../testing/bench-world.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";

it("asks nothing more while a request is on its way", async () => {
  const clock = createVirtualClock();
  const { start, send, data, model } = createBenchWorld({
    store: createMemoryStore({ now: clock.now }),
    clock,
    script: [{ text: "Done.", pace: () => clock.sleep(10_000) }, { text: "Steered." }],
  });
  const { end } = await start("go");
  await send({ kind: "input", mode: "steer", content: [{ type: "text", text: "quick" }] });
  await send({ kind: "settings", change: { limits: { maxTurns: 5 } } });
  await clock.advance(9_999);
  expect(model.requests).toHaveLength(1);
  expect(await data("model.requested")).toHaveLength(1);
  await clock.advance(1);
  expect((await end).text).toBe("Steered.");
});
