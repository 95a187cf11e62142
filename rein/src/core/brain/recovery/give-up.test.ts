import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import { createBenchWorld } from "../../testing/bench-world.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";

it("reports the error of the last attempt as that of the run", async () => {
  const clock = createVirtualClock();
  const { run, data } = createBenchWorld({
    store: createMemoryStore({ now: clock.now }),
    clock,
    script: [{ error: "model_rejected", message: "No such field." }],
  });
  const end = await run("go");
  expect(end.reason).toBe("failed");
  expect(end.error).toEqual({
    class: "permanent",
    code: "model_rejected",
    message: "No such field.",
    hint: "It stands in the script.",
  });
  expect(await data("run.ended")).toEqual([{ run: 1, reason: "failed", error: end.error }]);
});
