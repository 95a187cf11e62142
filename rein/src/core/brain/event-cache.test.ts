import { expect, it } from "vitest";
import { createMemoryStore } from "../../store/memory.ts";
import { unwrap } from "../errors.ts";
import { compose } from "../session/index.ts";
import { BENCH_OWNER } from "../testing/brain-bench.ts";
import { wrapStore } from "../testing/wrap-store.ts";
import { EventCache } from "./event-cache.ts";

const SMALL = [{ n: 1 }, { n: 2 }, { n: 3 }];

const filled = async (all: readonly unknown[] = SMALL) => {
  const store = createMemoryStore();
  const { token } = unwrap(await store.acquire("s", BENCH_OWNER, 10_000));
  const events = all.map((data) => ({ type: "x.n", version: 1, at: 0, data: JSON.stringify(data) }));
  unwrap(await store.commit({ appends: [{ stream: "s", expectedSeq: 0, token, events }] }));
  let reads = 0;
  const counted = wrapStore(store, {
    around: (method, run) => {
      if (method === "read") reads += 1;
      return run();
    },
  });
  return { store, cache: new EventCache(counted, unwrap(compose([], [])), "s"), reads: () => reads };
};

const event = (seq: number, data: unknown) => ({ session: "s", seq, at: 0, type: "x.n", version: 1, data });

it("gives what it was told to keep without a look at the store", async () => {
  const { cache, reads } = await filled();
  cache.keep(event(2, "kept"));
  expect(unwrap(await cache.load(2))).toBe("kept");
  expect(cache.recent(2)).toBe("kept");
  expect(reads()).toBe(0);
});

it("reads the rest back, some ahead at a time", async () => {
  const { cache, reads } = await filled();
  expect(cache.recent(1)).toBeUndefined();
  expect([unwrap(await cache.load(1)), unwrap(await cache.load(3))]).toEqual([{ n: 1 }, { n: 3 }]);
  expect(reads()).toBe(1);
});

it("gives nothing for what was erased", async () => {
  const { cache, store } = await filled();
  unwrap(await store.erase("s", 2));
  expect(unwrap(await cache.load(2))).toBeUndefined();
});

it("lets go of what lies before a place, and can read it back", async () => {
  const { cache, reads } = await filled();
  cache.keep(event(1, { n: 1 }));
  cache.keep(event(2, { n: 2 }));
  cache.forgetBelow(2);
  expect([cache.recent(1), cache.recent(2)]).toEqual([undefined, { n: 2 }]);
  expect(unwrap(await cache.load(1))).toEqual({ n: 1 });
  expect(reads()).toBe(1);
});

it("holds no more than a little of a long history", async () => {
  const { cache, reads } = await filled(Array.from({ length: 200 }, (_, index) => ({ n: index + 1 })));
  for (let seq = 1; seq <= 200; seq += 1) expect(unwrap(await cache.load(seq))).toEqual({ n: seq });
  expect(reads()).toBe(4);
  expect([cache.recent(1), cache.recent(128), cache.recent(200)]).toEqual([undefined, undefined, { n: 200 }]);
});

it("reads no further ahead than a megabyte", async () => {
  const large = "x".repeat(600_000);
  const { cache } = await filled([large, large, large]);
  expect(unwrap(await cache.load(1))).toBe(large);
  expect([cache.recent(1), cache.recent(2), cache.recent(3)]).toEqual([large, undefined, undefined]);
});
