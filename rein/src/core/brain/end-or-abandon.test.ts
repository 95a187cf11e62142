import { expect, it } from "vitest";
import { createVirtualClock } from "../testing/virtual-clock.ts";
import { endOrAbandon } from "./end-or-abandon.ts";

const never = new Promise<string>(() => undefined);

it("gives the value of work that ends", async () => {
  const { signal } = new AbortController();
  expect(await endOrAbandon(Promise.resolve("value"), { signal, clock: createVirtualClock() }, 100)).toBe("value");
});

it("passes on why the work failed", async () => {
  const { signal } = new AbortController();
  const work = Promise.reject(new Error("broken"));
  await expect(endOrAbandon(work, { signal, clock: createVirtualClock() }, 100)).rejects.toThrow("broken");
});

it("gives work the time of its grace after the abort, and no more", async () => {
  const clock = createVirtualClock();
  const control = new AbortController();
  const slow = clock.sleep(150).then(() => "value");
  const inTime = endOrAbandon(slow, { signal: control.signal, clock }, 100);
  const late = endOrAbandon(never, { signal: control.signal, clock }, 100);
  await clock.advance(100);
  control.abort();
  await clock.advance(50);
  expect(await inTime).toBe("value");
  await clock.advance(50);
  expect(await late).toBeNull();
});

it("counts from the beginning when the abort came before", async () => {
  const clock = createVirtualClock();
  const abandoned = endOrAbandon(never, { signal: AbortSignal.abort(), clock }, 100);
  await clock.advance(100);
  expect(await abandoned).toBeNull();
});

it("leaves no timer behind", async () => {
  const clock = createVirtualClock();
  const work = clock.sleep(10);
  const ended = endOrAbandon(work, { signal: AbortSignal.abort(), clock }, 1_000);
  await clock.advance(10);
  await ended;
  expect(clock.sleepers).toBe(0);
});
