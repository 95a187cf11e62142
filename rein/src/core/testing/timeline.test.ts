import { expect, it } from "vitest";
import { Timeline } from "./timeline.ts";
import { createVirtualClock } from "./virtual-clock.ts";

it("wakes sleepers in the order in which they are due, equal ones in the order in which they came", async () => {
  const timeline = new Timeline(1);
  const woken: string[] = [];
  const sleep = (name: string, ms: number): void =>
    void timeline.sleep(ms).then(() => woken.push(`${name}@${timeline.passed}`));
  sleep("late", 30);
  sleep("first", 10);
  sleep("second", 10);
  expect(await timeline.advanceToNext()).toBe(true);
  expect(woken).toEqual(["first@10", "second@10"]);
  await timeline.advance(50);
  expect(woken).toEqual(["first@10", "second@10", "late@30"]);
  expect(timeline.passed).toBe(60);
  expect(await timeline.advanceToNext()).toBe(false);
});

it("ends a sleep at its abort and forgets the sleeper", async () => {
  const timeline = new Timeline(1);
  const stop = new AbortController();
  let woken = 0;
  void timeline.sleep(1_000, stop.signal).then(() => {
    woken += 1;
  });
  expect(timeline.sleepers).toBe(1);
  stop.abort();
  await timeline.settle();
  expect([woken, timeline.sleepers, timeline.passed]).toEqual([1, 0, 0]);
});

it("moves clocks of one timeline together, each with its own wall", async () => {
  const timeline = new Timeline(1);
  const one = createVirtualClock({ timeline, start: 1_000 });
  const other = createVirtualClock({ timeline, start: 9_000 });
  other.step(-500);
  await one.advance(100);
  expect([one.now(), other.now(), one.monotonic(), other.monotonic()]).toEqual([1_100, 8_600, 100, 100]);
});
