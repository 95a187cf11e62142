import { decide } from "../../brain/index.ts";
import { type Composition, openSession, type State } from "../../session/index.ts";
import { Life } from "./life.ts";
import type { Plan } from "./plan.ts";
import { createSimBrain, type SimBrain } from "./sim-brain.ts";
import type { World } from "./world.ts";

/** The processes that drive sessions; one that dies is started anew. */
export class Workers {
  readonly brains: SimBrain[] = [];
  /** All sessions there are. */
  readonly sessions: string[] = [];
  readonly #world: World;
  readonly #plan: Plan;
  readonly #plain: Composition;
  #generation = 0;

  constructor(world: World, plan: Plan, plain: Composition) {
    this.#world = world;
    this.#plan = plan;
    this.#plain = plain;
  }

  /** Starts a process in a place and keeps one there until the world ends. */
  async keep(place: number): Promise<void> {
    const host = place % 2 === 0 ? "near" : "far";
    while (!this.#world.finished) {
      this.#generation += 1;
      const life = new Life(this.#world, `brain${place}#${this.#generation}`, host);
      const dead = Promise.withResolvers<void>();
      life.onDeath(() => dead.resolve());
      this.brains[place] = createSimBrain(this.#world, life, this.#plan);
      void this.#work(this.brains[place]);
      await dead.promise;
      await this.#world.timeline.sleep(this.#world.dice.int(50, 6_000));
    }
  }

  get driving(): boolean {
    return this.brains.some(({ life }) => life.alive && life.drives.size > 0);
  }

  /** Sessions that something should be done about and nobody does. Folds each from its first event: for calm weather. */
  async unfinished(): Promise<readonly string[]> {
    const names: string[] = [];
    for (const session of this.sessions) {
      const inbox = await this.#world.store.inbox(session);
      const opened = await openSession(this.#world.store, this.#plain, session);
      const waiting = inbox.ok ? inbox.value.length : 0;
      if (waiting > 0 || (opened.ok && wantsDriver(this.#plain, opened.value.state))) names.push(session);
    }
    return names;
  }

  async #work(brain: SimBrain): Promise<void> {
    const { dice } = this.#world;
    while (!this.#world.finished) {
      await brain.life.clock.sleep(dice.int(50, this.#world.storming ? 1_500 : 300));
      const session = await this.#pick();
      if (session !== undefined) void brain.drive(session);
    }
  }

  /** In the storm people start whatever they like; in calm weather only what needs it. */
  async #pick(): Promise<string | undefined> {
    const { dice, storming } = this.#world;
    if (this.sessions.length === 0) return undefined;
    if (storming && dice.chance(0.5)) return dice.pick(this.sessions);
    const wakeable = await this.#world.store.wakeable();
    const names = storming && wakeable.ok ? wakeable.value.filter((name) => this.sessions.includes(name)) : await this.unfinished();
    return names.length === 0 ? undefined : dice.pick(names);
  }
}

/** Whether a session is not at rest: something should be in flight that is more than waiting for a person. */
export function wantsDriver(composition: Composition, state: State): boolean {
  const { kernel } = state;
  const { want, end } = decide(composition.rules, state);
  if (end !== null) return true;
  if (!kernel.run.active) return want.length > 0;
  const begun = composition.parts.flatMap((part) => part.begun?.(state) ?? []);
  const active = [...want, ...begun].filter(({ kind }) => kind !== "person" && kind !== "timer");
  if (active.length > 0) return true;
  return !kernel.paused && !want.some(({ kind }) => kind === "person");
}
