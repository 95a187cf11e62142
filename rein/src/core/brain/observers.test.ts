import { expect, it } from "vitest";
import { createMemoryStore } from "../../store/memory.ts";
import { createBenchWorld } from "../testing/bench-world.ts";
import { createVirtualClock } from "../testing/virtual-clock.ts";
import type { StateChange } from "./observers.ts";

const world = () => {
  const clock = createVirtualClock();
  const script = [{ calls: [{ name: "look" }] }, { text: "Done." }];
  return createBenchWorld({ store: createMemoryStore({ now: clock.now }), clock, script, tools: { look: {} } });
};

it("tells of every change after it is durable: the state and the events of the commit", async () => {
  const { run, store } = world();
  const changes: StateChange[] = [];
  const heads: Promise<unknown>[] = [];
  const observe = (change: StateChange): void => {
    changes.push(change);
    heads.push(store.head("s1"));
  };
  const end = await run("go", { observe: [observe] });
  expect(changes.map(({ events }) => events.map((event) => `${event.seq} ${event.type}`))).toEqual([
    ["1 session.created", "2 brain.woke", "3 input.received", "4 run.started"],
    ["5 tools.changed", "6 context.captured", "7 model.requested"],
    ["8 model.responded", "9 call.judged", "10 tool.started"],
    ["11 tool.finished", "12 model.requested"],
    ["13 model.responded", "14 run.ended"],
  ]);
  expect(changes.map(({ state }) => state.kernel.seq)).toEqual([4, 7, 10, 12, 14]);
  expect(await Promise.all(heads)).toMatchObject([4, 7, 10, 12, 14].map((seq) => ({ ok: true, value: { seq } })));
  expect(changes.at(-1)?.state).toBe(end.state);
});

it("lets one that throws harm neither the run nor the others, and says so in the stream", async () => {
  const { run, parts } = world();
  let told = 0;
  const broken = ({ state }: StateChange): void => {
    if (state.kernel.seq === 7) throw new Error("Too much.");
  };
  const counting = (): void => {
    told += 1;
  };
  expect((await run("go", { observe: [broken, counting] })).reason).toBe("done");
  expect(told).toBe(5);
  expect(parts.filter((part) => part.type === "notice")).toEqual([
    { type: "notice", kind: "subscriber_failed", text: "A subscriber failed on event 7: Too much." },
  ]);
});

it("says of one that fails later too", async () => {
  const { run, parts } = world();
  const later = async ({ state }: StateChange): Promise<void> => {
    await Promise.resolve();
    if (state.kernel.seq === 4) throw new Error("Later.");
  };
  expect((await run("go", { observe: [later] })).reason).toBe("done");
  expect(parts.filter((part) => part.type === "notice")).toEqual([
    { type: "notice", kind: "subscriber_failed", text: "A subscriber failed on event 4: Later." },
  ]);
});

it("waits for none", async () => {
  const { run } = world();
  expect((await run("go", { observe: [() => new Promise(() => undefined)] })).reason).toBe("done");
});
