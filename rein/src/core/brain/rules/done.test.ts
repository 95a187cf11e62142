import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import { createBenchWorld } from "../../testing/bench-world.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";

it.each(["end", "stop_sequence"] as const)("ends when the model asks for no tool (%s)", async (stop) => {
  const clock = createVirtualClock();
  const { run, types, data } = createBenchWorld({
    store: createMemoryStore({ now: clock.now }),
    clock,
    script: [{ text: "Done.", stop }],
  });
  expect(await run("go")).toMatchObject({ reason: "done", text: "Done." });
  expect(await types(7)).toEqual(["model.requested", "model.responded", "run.ended"]);
  expect(await data("run.ended")).toEqual([{ run: 1, reason: "done" }]);
});

it("ends after an empty message, which leaves nothing in the prompt", async () => {
  const clock = createVirtualClock();
  const { run, messages } = createBenchWorld({
    store: createMemoryStore({ now: clock.now }),
    clock,
    script: [{ content: [] }, { text: "Two." }],
  });
  expect((await run("one")).reason).toBe("done");
  await run("two");
  expect(messages(1)).toEqual([
    { role: "user", content: [{ type: "text", text: "one" }] },
    { role: "user", content: [{ type: "text", text: "two" }] },
  ]);
});
