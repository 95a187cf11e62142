import { expect, it } from "vitest";
import { createMemoryStore } from "../../store/memory.ts";
import { unwrap } from "../errors.ts";
import { type BenchWorldOptions, createBenchWorld } from "../testing/bench-world.ts";
import { createVirtualClock } from "../testing/virtual-clock.ts";
import { openSession } from "./open-session.ts";
import type { Status } from "./state.ts";
import { statusOf } from "./status.ts";

const world = (options: Omit<BenchWorldOptions, "store" | "clock">) => {
  const clock = createVirtualClock();
  return createBenchWorld({ store: createMemoryStore({ now: clock.now }), clock, ...options });
};

/** The status after each event of a session's log. */
const history = async ({ store, bench }: ReturnType<typeof world>): Promise<readonly Status[]> => {
  const { composition } = bench;
  let state = composition.initial("s1");
  const statuses: Status[] = [statusOf(state)];
  for (const stored of unwrap(await store.read("s1"))) {
    state = composition.reduce(state, unwrap(composition.decode("s1", stored)));
    statuses.push(statusOf(state));
  }
  return statuses;
};

it("goes from idle over initializing and running to completed", async () => {
  const here = world({ script: [{ text: "Done." }] });
  await here.run("go");
  expect(await history(here)).toEqual([
    "idle",
    "idle",
    "idle",
    "idle",
    "initializing",
    "initializing",
    "running",
    "running",
    "running",
    "completed",
  ]);
});

it("waits while a person is asked, and resumes in a new life", async () => {
  const here = world({
    script: [{ calls: [{ name: "act" }] }, { text: "Done." }],
    tools: { act: { decision: "ask" } },
  });
  await here.run("go");
  await here.send({ kind: "approve", call: "8.0" });
  await here.run();
  expect((await history(here)).slice(9)).toEqual([
    "running",
    "waiting",
    "resuming",
    "resuming",
    "resuming",
    "resuming",
    "running",
    "running",
    "completed",
  ]);
});

it.each([
  ["done", { script: [{ text: "Done." }] }, "completed"],
  ["refused", { script: [{ text: "No.", stop: "refusal" }] }, "failed"],
  ["failed", { script: [{ error: "model_auth" }] }, "failed"],
  ["max_turns", { script: [], settings: { limits: { maxTurns: 0 } } }, "completed"],
] as const)("is after a run that ended as %s", async (reason, options, status) => {
  const here = world(options);
  const end = await here.run("go");
  expect(end.reason).toBe(reason);
  expect(statusOf(end.state)).toBe(status);
});

it("is paused whether a run goes on or not, idle after an interrupt, terminated after a kill", async () => {
  const here = world({ script: [{ text: "Done." }] });
  await here.run("go");
  await here.send({ kind: "pause" });
  expect(statusOf((await here.run()).state)).toBe("paused");
  await here.send({ kind: "resume" });
  expect(statusOf((await here.run()).state)).toBe("completed");
  await here.send({ kind: "kill", reason: "enough" });
  expect(statusOf((await here.run()).state)).toBe("terminated");
});

it("is the same for whoever folds the log", async () => {
  const here = world({ script: [{ text: "Done." }] });
  const end = await here.run("go");
  const opened = unwrap(await openSession(here.store, here.bench.composition, "s1"));
  expect(JSON.stringify(opened.state)).toBe(JSON.stringify(end.state));
});
