import {
  type DriveEnd,
  Driver,
  DriveStream,
  eventOfCommand,
  kernelPart,
  kernelRules,
  LEASE_TTL,
  PartQueue,
} from "../../brain/index.ts";
import { ReinFailure, unwrap } from "../../errors.ts";
import { type Composition, compose, type NewEvent, type State, type Store, takeUp } from "../../session/index.ts";
import { noRedact, noSurvivors, plainContext } from "../plain-ports.ts";
import type { Life } from "./life.ts";
import { createLifeStore } from "./life-store.ts";
import { type Plan, rollSettings } from "./plan.ts";
import { createSimModel } from "./sim-model.ts";
import { createSimHands, createSimTools } from "./sim-tools.ts";
import type { World } from "./world.ts";

/** How a session is driven. */
export interface DriveOptions {
  /** Takes the lease by force and kills the run. */
  readonly kill?: { readonly commandId: string };
}

/** What a process of the world can do with sessions. */
export interface SimBrain {
  readonly life: Life;
  /** The store as this process sees it. */
  readonly store: Store;
  /** For one session; its survivors are ended in that session's name. */
  composition(session: string): Composition;
  /** Takes a session up and drives it to an end, which the world notes. Does nothing when another holds it. */
  drive(session: string, options?: DriveOptions): Promise<void>;
}

/** Starts a brain in a life. */
export function createSimBrain(world: World, life: Life, plan: Plan): SimBrain {
  const store = createLifeStore(world, life, plan.store);
  const model = createSimModel(world, life, plan);
  const tools = createSimTools(world, life, plan);
  const context = {
    capture: async (settings: Parameters<typeof plainContext.capture>[0]) => {
      await life.clock.sleep(world.dice.int(0, 100));
      return plainContext.capture(settings);
    },
  };
  const composition = (session: string): Composition => {
    const hands = createSimHands(world, life, () => session);
    const measures = { size: () => world.effects.filter((effect) => effect.session === session).length };
    return unwrap(
      compose(
        [kernelPart({ model, tools, context, redact: noRedact, hands, measures }, (hash) => store.blob(hash))],
        kernelRules,
      ),
    );
  };

  const prepare = (session: string, queue: PartQueue, options: DriveOptions) => async () => {
    const joined = composition(session);
    const head = unwrap(await store.head(session));
    const create = head === null || head.seq === 0 ? { create: { settings: rollSettings(world.dice), gates: [] } } : {};
    const steal = options.kill !== undefined && head !== null;
    const taken = unwrap(
      await takeUp({
        store,
        composition: joined,
        owner: life.owner,
        session,
        ttl: LEASE_TTL,
        steal,
        ...create,
      }),
    );
    const { commandId = "" } = options.kill ?? {};
    const kill = (state: State): NewEvent => eventOfCommand(state, commandId, { kind: "kill", reason: "by force" });
    const first = steal ? [...taken.first, kill] : taken.first;
    const stay = world.storming && world.dice.chance(0.2);
    const driver = new Driver({
      store,
      composition: joined,
      clock: life.clock,
      redact: noRedact,
      lease: taken.lease,
      state: taken.state,
      unsaved: taken.read,
      queue,
      stay,
    });
    return { leave: () => driver.leave(), run: () => driver.run(first) };
  };

  return {
    life,
    store,
    composition,
    async drive(session, options = {}) {
      if (life.drives.has(session)) return;
      life.drives.add(session);
      const queue = new PartQueue(
        world.dice.weigh([
          [3, 100],
          [1, 1],
          [1, 5],
        ]),
      );
      const end = await read(world, life, new DriveStream(queue, prepare(session, queue, options)));
      life.drives.delete(session);
      if (end === null) return;
      const code = end.error?.code ?? "";
      const clean = end.reason !== "lost" && !(end.reason === "failed" && /^(store|lease|conflict)/.test(code));
      world.noteEnd(life.name, session, end, clean);
    },
  };
}

/** Reads a stream as callers do: eagerly, slowly, or only for a while. Null when the session could not be taken up. */
async function read(world: World, life: Life, stream: DriveStream<DriveEnd>): Promise<DriveEnd | null> {
  const { dice } = world;
  const manner = world.storming
    ? dice.weigh([
        [6, "eager"],
        [2, "slow"],
        [1, "leaves"],
      ])
    : "eager";
  const patience = dice.int(1, 60);
  try {
    for (let count = 0; ; count += 1) {
      const next = await stream.next();
      if (next.done === true) return next.value;
      if (manner === "slow" && dice.chance(0.2)) await life.clock.sleep(dice.int(1, 300));
      if (manner !== "leaves" || count < patience) continue;
      world.count("caller left");
      const left = await stream.return();
      return left.done === true ? left.value : null;
    }
  } catch (thrown) {
    if (!(thrown instanceof ReinFailure)) throw thrown;
    world.count(`take-up refused ${thrown.error.code}`);
    return null;
  }
}

/** The parts and rules alone, to fold and decide with; nothing of it can act. */
export function plainComposition(store: Store): Composition {
  const model = createNoModel();
  const tools = { schemas: [], judge: unable, execute: unable, reconcile: unable };
  const ports = { model, tools, context: plainContext, redact: noRedact, hands: noSurvivors };
  return unwrap(compose([kernelPart(ports, (hash) => store.blob(hash))], kernelRules));
}

function createNoModel() {
  return {
    id: "none",
    capabilities: () => ({ images: false, documents: false, parallelCalls: false }),
    stream: unable,
  };
}

function unable(): never {
  throw new Error("This composition can only fold and decide.");
}
