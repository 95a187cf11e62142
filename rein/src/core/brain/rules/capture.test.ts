import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import { fail, ok, unwrap } from "../../errors.ts";
import { type BenchWorldOptions, createBenchWorld } from "../../testing/bench-world.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";

const world = (options: Omit<BenchWorldOptions, "store" | "clock">) => {
  const clock = createVirtualClock();
  return createBenchWorld({ store: createMemoryStore({ now: clock.now }), clock, ...options });
};

it("captures system and tools once, before the first request, as blobs of the same commit", async () => {
  const { run, store, data, model } = world({
    script: [{ text: "One." }, { text: "Two." }],
    tools: { look: { readOnly: true } },
  });
  await run("one");
  await run("two");
  const captured = await data("context.captured");
  expect(captured).toEqual([{ source: "system", blob: expect.stringMatching(/^[0-9a-f]{64}$/), size: 19 }]);
  const bytes = unwrap(await store.blob(Object(captured[0]).blob));
  expect(Buffer.from(bytes ?? []).toString()).toBe("You work in /bench.");
  expect(await data("tools.changed")).toMatchObject([{ names: ["look"] }]);
  expect(model.requests.map(({ system, tools }) => [system, tools.map(({ name }) => name)])).toEqual([
    ["You work in /bench.", ["look"]],
    ["You work in /bench.", ["look"]],
  ]);
});

it("ends the run with the reason when it fails", async () => {
  const { run, data, model } = world({
    script: [],
    context: { capture: async () => fail("store_io", "AGENTS.md cannot be read.", "Look at its rights.") },
  });
  expect(await run("go")).toMatchObject({ reason: "failed", error: { code: "effect_unrunnable" } });
  expect(model.requests).toEqual([]);
  expect(await data("effect.failed")).toEqual([
    {
      id: "capture",
      kind: "capture",
      error: { class: "resource", code: "store_io", message: "AGENTS.md cannot be read.", hint: "Look at its rights." },
    },
  ]);
});

it("is tried again by the next run", async () => {
  let tries = 0;
  const { run } = world({
    script: [{ text: "Done." }, { text: "Again." }],
    context: {
      capture: async () => {
        tries += 1;
        return tries === 1 ? fail("store_io", "Not now.", "Later.") : ok({ system: "You work.", sources: [] });
      },
    },
  });
  expect((await run("go")).reason).toBe("failed");
  expect((await run("again")).reason).toBe("done");
});
