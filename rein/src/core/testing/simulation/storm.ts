/** What happens to processes, clocks and sessions while the storm lasts. */
import { type Composition, forkSession, openSession, type Store } from "../../session/index.ts";
import { saveState } from "../../session/snapshot.ts";
import { wrapStore } from "../wrap-store.ts";
import { talkTo } from "./people.ts";
import type { Plan } from "./plan.ts";
import type { SimBrain } from "./sim-brain.ts";
import type { Workers } from "./workers.ts";
import type { World } from "./world.ts";

/** A lease lasts 15 s; who stands still for longer has lost it. */
const BEYOND_LEASE = 16_000;

/** Lets the storm loose. */
export function startStorm(world: World, plan: Plan, workers: Workers, plain: Composition): void {
  const { dice } = world;
  const every = (gap: number | undefined, act: () => void | Promise<void>): void => {
    if (gap !== undefined) world.track(repeat(world, gap, act));
  };
  every(plan.gaps.crash, () => anyBrain(world, workers)?.life.die("at random"));
  every(plan.gaps.freeze, () => freeze(world, workers));
  every(plan.gaps.clockStep, () => stepClock(world, workers));
  every(plan.gaps.fork, () => fork(world, plan, workers));
  every(plan.gaps.snapshot, () => snapshot(world, workers, plain));
  every(plan.gaps.steal, async () => {
    const commandId = `force-${world.nextId()}`;
    world.count("kill by force");
    // Who is killed by force may be held by a dead process; the drive that takes it must not hold the storm up.
    void anyBrain(world, workers)?.drive(dice.pick(workers.sessions), { kill: { commandId } });
  });
}

async function repeat(world: World, gap: number, act: () => void | Promise<void>): Promise<void> {
  while (world.storming) {
    await world.timeline.sleep(world.dice.int(1, gap * 2));
    if (world.storming) await act();
  }
}

function anyBrain(world: World, workers: Workers): SimBrain | undefined {
  const running = workers.brains.filter(({ life }) => life.alive && !life.frozen);
  return running.length === 0 ? undefined : world.dice.pick(running);
}

async function freeze(world: World, workers: Workers): Promise<void> {
  const life = anyBrain(world, workers)?.life;
  if (life === undefined) return;
  const long = world.dice.chance(0.5);
  const length = long ? world.dice.int(BEYOND_LEASE, 40_000) : world.dice.int(10, 5_000);
  world.count(long ? "freeze beyond the lease" : "freeze");
  world.tell(life.name, () => `stands still for ${length} ms`);
  life.freeze();
  await world.timeline.sleep(length);
  life.thaw();
}

function stepClock(world: World, workers: Workers): void {
  const { dice } = world;
  const step =
    dice.pick([-1, 1]) *
    dice.weigh([
      [2, dice.int(1, 2_000)],
      [2, dice.int(2_000, 60_000)],
      [1, 86_400_000],
    ]);
  if (dice.chance(0.3)) {
    world.count("store clock step");
    world.tell("world", () => `the store's clock steps by ${step} ms`);
    world.stepStoreClock(step);
    return;
  }
  const life = anyBrain(world, workers)?.life;
  world.count("clock step");
  world.tell(life?.name ?? "nobody", () => `its clock steps by ${step} ms`);
  life?.stepClock(step);
}

async function fork(world: World, plan: Plan, workers: Workers): Promise<void> {
  const brain = anyBrain(world, workers);
  const parent = world.dice.pick(workers.sessions);
  const head = await world.store.head(parent);
  if (brain === undefined || !head.ok || head.value === null || head.value.seq === 0) return;
  const seq = world.dice.chance(0.5) ? head.value.seq : world.dice.int(1, head.value.seq);
  const child = `${parent}.${workers.sessions.length}`;
  world.tell(brain.life.name, () => `forks ${parent} at ${seq} as ${child}`);
  const { life } = brain;
  const store = world.dice.chance(0.2) ? dyingInFork(brain) : brain.store;
  const forking = forkSession({
    store,
    composition: brain.composition(child),
    clock: life.clock,
    owner: life.owner,
    ttl: 15_000,
    parent,
    seq,
    child,
  });
  const dead = new Promise<null>((resolve) => life.onDeath(() => resolve(null)));
  const forked = await Promise.race([forking, dead]);
  if (forked !== null) world.count(forked.ok ? "fork" : `fork refused ${forked.error.code}`);
  const born = await world.store.head(child);
  if (!born.ok || born.value === null) return;
  workers.sessions.push(child);
  world.track(talkTo(world, plan, child));
}

/** The store of a process that dies between the two steps of a fork. */
function dyingInFork({ life, store }: SimBrain): Store {
  return wrapStore(store, {
    around: async (method, run) => {
      const done = await run();
      return method === "fork" && done.ok ? life.crash("in a fork") : done;
    },
  });
}

async function snapshot(world: World, workers: Workers, plain: Composition): Promise<void> {
  const session = world.dice.pick(workers.sessions);
  const opened = await openSession(world.store, plain, session);
  const head = await world.store.head(session);
  if (!opened.ok || !head.ok || head.value === null || head.value.seq !== opened.value.state.kernel.seq) return;
  const { seq, hash } = head.value;
  world.count("snapshot");
  await world.store.saveSnapshot(session, { seq, hash, version: plain.version, body: saveState(opened.value.state) });
}
