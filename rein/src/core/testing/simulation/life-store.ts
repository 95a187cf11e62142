import type { Result } from "../../errors.ts";
import type { Commit, Lease, Store, StoreChange } from "../../session/index.ts";
import { createFaultyStore, type StoreFault } from "../faulty-store.ts";
import { type StoreMethod, wrapStore } from "../wrap-store.ts";
import type { Life } from "./life.ts";
import type { World } from "./world.ts";

/** Most milliseconds until a process hears of what another one committed. Source: docs/architecture.md, *Writers*. */
const POLL = 50;
/** Most milliseconds a slow call takes to get to the store. */
const LONGEST_WAY = 400;
/** Commits that no world comes near. */
const MOST_COMMITS = 5_000;

/** The world's store as one process sees it: with its faults, and out of reach for the dead and the frozen. */
export function createLifeStore(
  world: World,
  life: Life,
  chances: Readonly<Partial<Record<StoreFault, number>>>,
): Store {
  // Calls of one process may overtake each other here, as over several connections; its commits do not, the driver sees to that.
  const slow = world.dice.pick([0, 0, 0.02, 0.1]);
  const gated = wrapStore(world.store, {
    around: async (method, run, commit) => {
      if (world.storming && world.dice.chance(slow)) await life.clock.sleep(world.dice.int(1, LONGEST_WAY));
      await life.pass();
      const done = await noted(world, life, method, run, commit);
      // Between the lease and the first commit lies the hour of whoever held it before.
      if (method === "acquire" && world.storming && world.dice.chance(0.2))
        await life.clock.sleep(world.dice.int(50, 2_000));
      await life.pass();
      return done;
    },
    watch: (listener) => watchFromOutside(world, life, listener),
  });
  return createFaultyStore(gated, {
    random: world.dice.random,
    clock: life.clock,
    get chances() {
      return world.storming ? chances : {};
    },
    crash: (where) => life.crash(where),
    onFault: (fault) => world.count(`store ${fault}`),
  });
}

async function noted<T>(
  world: World,
  life: Life,
  method: StoreMethod,
  run: () => Promise<Result<T>>,
  commit?: Commit,
): Promise<Result<T>> {
  // Brains that go round in circles without any time passing: they are stopped here, and `ends` tells.
  if (world.commits.length > MOST_COMMITS) return new Promise(() => undefined);
  // The store acts before it first waits, so the number is taken at the very moment.
  const running = run();
  const order = world.next();
  const done = await running;
  if (!done.ok && method !== "acquire") {
    world.count(`refused ${method} ${done.error.code}`);
    world.tell(life.name, () => `${method} is refused: ${done.error.code}: ${done.error.message}`);
  }
  if (commit !== undefined && done.ok) world.noteCommit(order, life.name, commit);
  if (method === "acquire" && done.ok && isLease(done.value))
    world.noteLease(order, life.name, done.value.session, done.value.token);
  return done;
}

function isLease(value: unknown): value is Lease {
  return typeof value === "object" && value !== null && "token" in value && "session" in value;
}

/** Each brain is a process of its own: it hears of the others a little later, and of many things at once. */
function watchFromOutside(world: World, life: Life, listener: (change: StoreChange) => void): () => void {
  let coming = false;
  let over = false;
  const later = async (): Promise<void> => {
    coming = true;
    await world.timeline.sleep(world.dice.int(1, POLL));
    await life.pass();
    coming = false;
    if (!over) listener({ kind: "elsewhere", stream: null });
  };
  const stop = world.store.watch((change) => {
    if (!coming && (change.kind === "inbox" || world.dice.chance(0.2))) void later();
  });
  const unwatch = (): void => {
    over = true;
    stop();
  };
  life.onDeath(unwatch);
  return unwatch;
}
