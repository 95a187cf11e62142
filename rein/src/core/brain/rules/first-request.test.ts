import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import { createBenchWorld } from "../../testing/bench-world.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";

it("takes the oldest input and every steering message that waits", async () => {
  const clock = createVirtualClock();
  const { run, send, messages, data } = createBenchWorld({
    store: createMemoryStore({ now: clock.now }),
    clock,
    script: [{ text: "One." }, { text: "Two." }, { text: "Three." }],
  });
  await run("one");
  await send({ kind: "input", mode: "follow-up", content: [{ type: "text", text: "two" }] });
  await send({ kind: "input", mode: "start", content: [{ type: "text", text: "three" }] });
  await send({ kind: "input", mode: "steer", content: [{ type: "text", text: "briefly" }] });
  expect((await run()).reason).toBe("done");
  expect(messages(1)?.slice(2)).toEqual([
    { role: "user", content: [{ type: "text", text: "two" }] },
    { role: "user", content: [{ type: "text", text: "briefly" }] },
  ]);
  expect(await data("model.requested")).toMatchObject([
    { transition: "start", turn: 1, attempt: 1 },
    { transition: "start", turn: 2, attempt: 1 },
    { transition: "follow_up", turn: 3, attempt: 1 },
  ]);
});
