/**
 * The simulation: one seed is one world of brains, people, tools and faults under one virtual time. The driver, the fold, the
 * rules and the store in it are the real ones. The same seed gives the same logs, byte for byte.
 */
import { invariants as allInvariants } from "./invariants/index.ts";
import { startPeople, talkTo } from "./people.ts";
import { type Plan, rollPlan } from "./plan.ts";
import { hashOfLogs, readRecording } from "./read-recording.ts";
import type { Invariant } from "./recording.ts";
import { plainComposition } from "./sim-brain.ts";
import { startStorm } from "./storm.ts";
import { Workers } from "./workers.ts";
import { type CreateStore, World } from "./world.ts";

/** What {@link simulate} takes. */
export interface SimulationOptions {
  readonly seed: number;
  /** Makes the store under test, empty. It must not wait for anything real. */
  readonly createStore: CreateStore;
  /** Default: all of them. */
  readonly invariants?: readonly Invariant[];
  /** Keep the story. Default false. */
  readonly trace?: boolean;
}

/** What came of a simulation. */
export interface SimulationReport {
  readonly seed: number;
  /** SHA-256 over all logs. */
  readonly hash: string;
  /** Empty when all invariants hold. */
  readonly violations: readonly { readonly invariant: string; readonly message: string }[];
  /** How often each kind of thing really happened. */
  readonly counts: Readonly<Record<string, number>>;
  readonly sessions: number;
  readonly events: number;
  /** Steps of the virtual time. */
  readonly steps: number;
  /** What happened, a line each; empty without `trace`. */
  readonly story: readonly string[];
}

/** Steps after which a world that has not come to rest never will. */
const MOST_STEPS = 40_000;
/** Milliseconds of calm after which the same is true. */
const LONGEST_CALM = 1_800_000;
const REST_CHECK = 400;
/** Milliseconds of nothing to do after which a driver that is still there means to stay. */
const LONGEST_LEAVE = 30_000;

/** Runs one world to its end and looks at it through the invariants. Throws only when the simulation itself is at fault. */
export async function simulate(options: SimulationOptions): Promise<SimulationReport> {
  const { seed, createStore, invariants = allInvariants } = options;
  const world = new World(seed, createStore, options.trace === true);
  const plan = rollPlan(world.dice);
  const plain = plainComposition(world.store);
  const workers = new Workers(world, plan, plain);
  start(world, plan, workers);
  startStorm(world, plan, workers, plain);
  void growCalm(world, plan, workers);
  let steps = 0;
  let moves = true;
  await world.timeline.settle();
  while (!world.finished && moves && steps < MOST_STEPS && world.timeline.passed < plan.storm + LONGEST_CALM) {
    moves = await world.timeline.advanceToNext();
    steps += 1;
  }
  const recording = await readRecording(world, plain, world.finished ? null : await whyNot(world, workers, steps));
  const violations = invariants.flatMap(({ name, check }) =>
    check(recording).map((message) => ({ invariant: name, message })),
  );
  countEvents(world, recording.sessions);
  return {
    seed,
    hash: hashOfLogs(recording),
    violations,
    counts: Object.fromEntries([...world.counts].sort(([a], [b]) => (a < b ? -1 : 1))),
    sessions: recording.sessions.length,
    events: recording.sessions.reduce((sum, { stored, base }) => sum + stored.length - base, 0),
    steps,
    story: world.story ?? [],
  };
}

function start(world: World, plan: Plan, workers: Workers): void {
  for (let place = 0; place < plan.processes; place += 1) void workers.keep(place);
  startPeople(world);
  for (let number = 1; number <= plan.sessions; number += 1) {
    workers.sessions.push(`s${number}`);
    world.track(talkTo(world, plan, `s${number}`));
  }
}

/** Ends the storm, then waits until nothing is left to do. */
async function growCalm(world: World, plan: Plan, workers: Workers): Promise<void> {
  await world.timeline.sleep(plan.storm);
  world.storming = false;
  world.tell("world", () => "the storm is over");
  let quiet = 0;
  while (!world.finished) {
    await world.timeline.sleep(REST_CHECK);
    quiet = world.going > 0 || (await workers.unfinished()).length > 0 ? 0 : quiet + REST_CHECK;
    // A driver that was told to stay sits there for ever when nobody answers.
    world.finished = quiet > (workers.driving ? LONGEST_LEAVE : 0);
  }
}

async function whyNot(world: World, workers: Workers, steps: number): Promise<string> {
  const left = await workers.unfinished();
  const driven = workers.brains.flatMap(({ life }) => [...life.drives].map((session) => `${session} by ${life.name}`));
  return `After ${steps} steps and ${world.timeline.passed} ms: unfinished ${left.join(", ") || "none"}; driven ${driven.join(", ") || "none"}; ${world.going} others going on.`;
}

function countEvents(
  world: World,
  sessions: readonly {
    readonly base: number;
    readonly events: readonly { readonly type: string; readonly data: unknown }[];
  }[],
): void {
  for (const { base, events } of sessions) {
    for (const { type, data } of events.slice(base)) {
      world.count(`event ${type}${detailOf(type, data)}`);
    }
  }
}

function detailOf(type: string, data: unknown): string {
  if (typeof data !== "object" || data === null) return "";
  if (type === "tool.finished" && "outcome" in data) return ` ${String(data.outcome)}`;
  if (type === "model.requested" && "transition" in data) return ` ${String(data.transition)}`;
  if (type === "run.ended" && "reason" in data) return ` ${String(data.reason)}`;
  if (type === "brain.woke" && "how" in data) return ` ${String(data.how)}`;
  if (type === "command.refused" && "kind" in data) return ` ${String(data.kind)}`;
  return "";
}
