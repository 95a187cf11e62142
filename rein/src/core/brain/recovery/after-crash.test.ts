import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import { createBenchWorld } from "../../testing/bench-world.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";

it("asks for the turn again, behind what had been streamed", async () => {
  const clock = createVirtualClock();
  const { start, run, data, messages, types } = createBenchWorld({
    store: createMemoryStore({ now: clock.now }),
    clock,
    script: [{ hang: "I was about to" }, { text: "say this." }],
  });
  await start("go");
  await clock.advance(250);
  const end = await run(undefined, { steal: true });
  expect(end).toMatchObject({ reason: "done", text: "say this." });
  expect(await data("model.interrupted")).toEqual([{ turn: 1, text: "I was about to", by: "crash" }]);
  expect(await types(7)).toEqual([
    "model.requested",
    "brain.woke",
    "model.interrupted",
    "model.requested",
    "model.responded",
    "run.ended",
  ]);
  expect(await data("model.requested")).toMatchObject([
    { turn: 1, attempt: 1, transition: "start" },
    { turn: 1, attempt: 2, transition: "recovered" },
  ]);
  expect(messages(1)).toEqual([
    { role: "user", content: [{ type: "text", text: "go" }] },
    { role: "assistant", content: [{ type: "text", text: "I was about to" }] },
    {
      role: "developer",
      content: [{ type: "text", text: "[The message above was cut off by a crash. What follows does not repeat it.]" }],
    },
  ]);
});

it("leaves nothing in the prompt when nothing had been streamed", async () => {
  const clock = createVirtualClock();
  const { start, run, messages } = createBenchWorld({
    store: createMemoryStore({ now: clock.now }),
    clock,
    script: [{ hang: "" }, { text: "Done." }],
  });
  await start("go");
  await clock.advance(1_000);
  await run(undefined, { steal: true });
  expect(messages(1)).toEqual([{ role: "user", content: [{ type: "text", text: "go" }] }]);
});
