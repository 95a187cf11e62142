import { expect, it } from "vitest";
import { createMemoryStore } from "../../store/memory.ts";
import { unwrap } from "../errors.ts";
import type { Commit, Store, StoreChange } from "../session/store.ts";
import { createFaultyStore, type StoreFault, type StoreFaults } from "./faulty-store.ts";
import { createRandom } from "./random.ts";
import { createVirtualClock } from "./virtual-clock.ts";
import { innermostStore } from "./wrap-store.ts";

const append = (seq: number): Commit => ({
  appends: [{ stream: "ledger:l", events: [{ type: "x.n", version: 1, at: 0, data: String(seq) }] }],
});

function faulty(faults: Partial<StoreFaults>): {
  readonly store: Store;
  readonly base: Store;
  readonly told: StoreFault[];
} {
  const told: StoreFault[] = [];
  const base = createMemoryStore();
  const clock = createVirtualClock();
  const store = createFaultyStore(base, {
    random: createRandom(1),
    clock,
    onFault: (fault) => told.push(fault),
    ...faults,
  });
  return { store, base, told };
}

it("does nothing of its own without faults", async () => {
  const { store, base, told } = faulty({});
  expect((await store.commit(append(1))).ok).toBe(true);
  expect(unwrap(await base.read("ledger:l")).map(({ data }) => data)).toEqual(["1"]);
  expect([told, innermostStore(store) === base]).toEqual([[], true]);
});

it("fails the commits it was told to, with their codes, and leaves no trace of them", async () => {
  const { store, base, told } = faulty({ failCommits: { 2: "store_full", 3: "store_busy" } });
  const codes: string[] = [];
  for (const seq of [1, 2, 3, 4]) {
    const done = await store.commit(append(seq));
    codes.push(done.ok ? "ok" : done.error.code);
  }
  expect(codes).toEqual(["ok", "store_full", "store_busy", "ok"]);
  expect(unwrap(await base.read("ledger:l")).map(({ data }) => data)).toEqual(["1", "4"]);
  expect(told).toEqual(["commit-fails", "commit-fails"]);
});

it("does what it commits and says that it failed when the answer is lost", async () => {
  const { store, base } = faulty({ chances: { "answer-lost": 1 } });
  const done = await store.commit(append(1));
  expect(done).toMatchObject({ ok: false, error: { code: "store_io" } });
  expect(unwrap(await base.read("ledger:l"))).toHaveLength(1);
});

it("crashes before or behind a commit, and never answers", async () => {
  for (const [fault, events] of [
    ["crash-before-commit", 0],
    ["crash-after-commit", 1],
  ] as const) {
    const crashed: string[] = [];
    const crash = (where: string): Promise<never> => {
      crashed.push(where);
      return new Promise(() => undefined);
    };
    const { store, base } = faulty({ chances: { [fault]: 1 }, crash });
    const answered = await Promise.race([
      store.commit(append(1)),
      new Promise((resolve) => setImmediate(() => resolve("nothing"))),
    ]);
    const read = await base.read("ledger:l");
    expect([answered, crashed, read.ok ? read.value.length : 0]).toEqual([
      "nothing",
      [fault.replace("crash-", "")],
      events,
    ]);
  }
});

it("holds a commit up, and those behind it", async () => {
  const told: string[] = [];
  const clock = createVirtualClock();
  const base = createMemoryStore();
  const chances = { "commit-delayed": 1 };
  const store = createFaultyStore(base, { random: createRandom(1), clock, chances });
  void store.commit(append(1)).then(() => told.push("first"));
  void store.commit(append(2)).then(() => told.push("second"));
  await clock.advance(0);
  expect([told, (await base.head("ledger:l")).ok && unwrap(await base.head("ledger:l"))]).toEqual([[], null]);
  await clock.advance(1_000);
  expect(told).toEqual(["first", "second"]);
  expect(unwrap(await base.read("ledger:l")).map(({ data }) => data)).toEqual(["1", "2"]);
});

it("fails reads and doubles notices", async () => {
  const { store } = faulty({ chances: { "read-fails": 1, "notice-doubled": 1 }, codes: ["store_io"] });
  const heard: StoreChange[] = [];
  store.watch((change) => heard.push(change));
  unwrap(await store.commit(append(1)));
  await new Promise((resolve) => setImmediate(resolve));
  expect(await store.read("ledger:l")).toMatchObject({ ok: false, error: { code: "store_io" } });
  expect(heard).toEqual([
    { kind: "append", stream: "ledger:l" },
    { kind: "append", stream: "ledger:l" },
  ]);
});
