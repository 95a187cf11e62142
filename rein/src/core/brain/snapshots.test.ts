import { expect, it } from "vitest";
import { createMemoryStore } from "../../store/memory.ts";
import { unwrap } from "../errors.ts";
import { compose } from "../session/index.ts";
import { BENCH_OWNER } from "../testing/brain-bench.ts";
import { wrapStore } from "../testing/wrap-store.ts";
import { Snapshots } from "./snapshots.ts";

const composition = unwrap(compose([], []));

it("saves once for as much as has grown", async () => {
  const store = createMemoryStore();
  const { token } = unwrap(await store.acquire("s", BENCH_OWNER, 10_000));
  const events = [composition.encode({ type: "run.stopped", data: { commandId: "c" } }, 0)];
  unwrap(await store.commit({ appends: [{ stream: "s", expectedSeq: 0, token, events }] }));
  let saves = 0;
  const counted = wrapStore(store, {
    around: (method, go) => {
      if (method === "saveSnapshot") saves += 1;
      return go();
    },
  });
  const first = composition.initial("s");
  const state = { ...first, kernel: { ...first.kernel, seq: 1 } };
  const snapshots = new Snapshots(counted, composition);
  snapshots.grew(600);
  await snapshots.saveWhenWorth(state);
  await snapshots.saveWhenWorth(state);
  expect(saves).toBe(1);
  snapshots.grew(600);
  await snapshots.saveWhenWorth(state);
  expect(saves).toBe(2);
});
