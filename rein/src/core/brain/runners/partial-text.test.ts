import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import { fail, unwrap } from "../../errors.ts";
import type { Store } from "../../session/index.ts";
import { createBenchWorld } from "../../testing/bench-world.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";
import { wrapStore } from "../../testing/wrap-store.ts";

/** A model that gives one character every 100 ms. */
const world = (wrap: (store: Store) => Store = (store) => store) => {
  const clock = createVirtualClock();
  const slow = { text: "abcdefghijklmnopqrstuvwxyz", chunk: 1, pace: () => clock.sleep(100) };
  return createBenchWorld({
    store: wrap(createMemoryStore({ now: clock.now })),
    clock,
    script: [slow, { text: "Done." }],
  });
};

it("keeps streamed text to within 250 ms, as a row beside the log", async () => {
  const { start, store, clock, types } = world();
  const { stream } = await start("go");
  await clock.advance(349);
  expect(unwrap(await store.scratch("s1"))).toEqual({});
  await clock.advance(1);
  expect(unwrap(await store.scratch("s1"))).toEqual({ "model:1.1": "abc" });
  await clock.advance(300);
  expect(unwrap(await store.scratch("s1"))).toEqual({ "model:1.1": "abcdef" });
  expect(await types(8)).toEqual([]);
  await Promise.all([stream.return(), clock.advance(100)]);
});

it("deletes the row in the commit of the message", async () => {
  const { run, store, data } = world();
  await run("go");
  expect(unwrap(await store.scratch("s1"))).toEqual({});
  expect(await data("model.responded")).toMatchObject([{ content: [{ text: "abcdefghijklmnopqrstuvwxyz" }] }]);
});

it("turns what was kept into an event after a crash, and deletes the row with it", async () => {
  const { start, run, store, clock, data } = world();
  await start("go");
  await clock.advance(1_000);
  await run(undefined, { steal: true });
  expect(await data("model.interrupted")).toEqual([{ turn: 1, text: "abcdefghi", by: "crash" }]);
  expect(unwrap(await store.scratch("s1"))).toEqual({});
});

it("keeps all the text that came before the model ended on an interrupt, not only what was kept before", async () => {
  const { start, send, clock, data } = world();
  const { end } = await start("go");
  await clock.advance(420);
  await send({ kind: "interrupt" });
  await clock.advance(100);
  expect((await end).reason).toBe("interrupted");
  expect(await data("model.interrupted")).toEqual([{ turn: 1, text: "abcde", by: "interrupt" }]);
});

it("stops the run when the store does not take it any more", async () => {
  const { run, types } = world((store) =>
    wrapStore(store, {
      around: async (_method, go, commit) =>
        commit?.scratch?.some((row) => row.value !== null) === true
          ? fail("store_full", "No space left.", "Free some space.")
          : go(),
    }),
  );
  expect(await run("go")).toMatchObject({ reason: "failed", error: { code: "store_full" } });
  expect(await types(7)).toEqual(["model.requested"]);
});

it("goes on when the store was only busy", async () => {
  const { run } = world((store) =>
    wrapStore(store, {
      around: async (_method, go, commit) =>
        commit?.scratch?.some((row) => row.value !== null) === true
          ? fail("store_busy", "Another process writes.", "It is tried again.")
          : go(),
    }),
  );
  expect((await run("go")).reason).toBe("done");
});
