import { expect, it } from "vitest";
import { createMemoryStore } from "../../store/memory.ts";
import { createBenchWorld } from "../testing/bench-world.ts";
import { createVirtualClock } from "../testing/virtual-clock.ts";
import { isUnfinished } from "./is-unfinished.ts";

it.each([
  ["done", { script: [{ text: "Done." }] }, false],
  ["failed", { script: [{ error: "model_auth" }] }, true],
  [
    "max_turns",
    { script: [{ calls: [{ name: "act" }] }], tools: { act: {} }, settings: { limits: { maxTurns: 1 } } },
    true,
  ],
] as const)("a run that ended as %s, also with a notice behind it", async (reason, options, unfinished) => {
  const clock = createVirtualClock();
  const { run, bench } = createBenchWorld({ store: createMemoryStore({ now: clock.now }), clock, ...options });
  const { state, reason: ended } = await run("go");
  expect(ended).toBe(reason);
  expect(isUnfinished(state.kernel)).toBe(unfinished);
  const lost = { type: "store.lost", data: { from: 1, to: 2, message: "Lost." }, session: "s1", version: 1, at: 1 };
  const noticed = bench.composition.reduce(state, { ...lost, seq: state.kernel.seq + 1 });
  expect(noticed.kernel.history.at(-1)?.kind).toBe("notice");
  expect(isUnfinished(noticed.kernel)).toBe(unfinished);
});
