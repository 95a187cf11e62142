import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import { createBenchWorld } from "../../testing/bench-world.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";

it("holds a paused run at the next safe point: the calls of the message are still run", async () => {
  const clock = createVirtualClock();
  const { start, run, send, types, data } = createBenchWorld({
    store: createMemoryStore({ now: clock.now }),
    clock,
    script: [{ calls: [{ name: "look" }] }, { text: "Done." }],
    tools: { look: { run: () => clock.sleep(1_000).then(() => "seen") } },
  });
  const { end } = await start("go");
  await send({ kind: "pause" });
  await clock.advance(1_000);
  expect((await end).reason).toBe("paused");
  expect(await types(11)).toEqual(["run.paused", "tool.finished"]);
  await send({ kind: "resume" });
  expect((await run()).reason).toBe("done");
  expect(await data("model.requested")).toMatchObject([{ transition: "start" }, { transition: "paused" }]);
});

it("gives a paused session back although a time limit runs", async () => {
  const clock = createVirtualClock();
  const { start, send, run, data } = createBenchWorld({
    store: createMemoryStore({ now: clock.now }),
    clock,
    settings: { limits: { maxTime: 3_600_000 } },
    script: [{ text: "I look.", calls: [{ name: "nothing" }], pace: () => clock.sleep(1_000) }, { text: "Done." }],
  });
  const { end } = await start("go");
  await send({ kind: "pause" });
  await clock.advance(1_000);
  expect((await end).reason).toBe("paused");
  await send({ kind: "resume" });
  expect((await run()).reason).toBe("done");
  expect(await data("timer.rearmed")).toMatchObject([{ name: "deadline:1:3600000" }]);
});

it("ends a run that was asked to stop at the next safe point, with everything kept", async () => {
  const clock = createVirtualClock();
  const { start, send, types, run, messages } = createBenchWorld({
    store: createMemoryStore({ now: clock.now }),
    clock,
    script: [{ calls: [{ name: "look" }] }, { text: "Done." }],
    tools: { look: { run: () => clock.sleep(1_000).then(() => "seen") } },
  });
  const { end } = await start("go");
  await send({ kind: "stop" });
  await clock.advance(1_000);
  expect((await end).reason).toBe("stopped");
  expect(await types(11)).toEqual(["run.stopped", "tool.finished", "run.ended"]);
  await run("go on");
  expect(messages(1)?.map((message) => message.role)).toEqual(["user", "assistant", "tool", "user"]);
});

it("ends an interrupted pause", async () => {
  const clock = createVirtualClock();
  const { start, send, run } = createBenchWorld({
    store: createMemoryStore({ now: clock.now }),
    clock,
    script: [{ text: "One.", pace: () => clock.sleep(1_000), stop: "pause" }],
  });
  const { end } = await start("go");
  await send({ kind: "pause" });
  await clock.advance(1_000);
  expect((await end).reason).toBe("paused");
  await send({ kind: "interrupt" });
  expect((await run()).reason).toBe("interrupted");
});
