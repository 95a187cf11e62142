import { decide } from "../../brain/index.ts";
import { unwrap } from "../../errors.ts";
import type { Composition, State } from "../../session/index.ts";
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
  readonly #folds = new Map<string, State>();
  #generation = 0;
  #looked: { readonly key: string; readonly names: readonly string[] } = { key: "", names: [] };

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

  /** Sessions that are not at rest. */
  async unfinished(): Promise<readonly string[]> {
    const key = `${this.sessions.length} ${this.#world.commits.length} ${this.#world.commands.length}`;
    if (key === this.#looked.key) return this.#looked.names;
    const names: string[] = [];
    for (const session of this.sessions) {
      const inbox = await this.#world.store.inbox(session);
      const state = await this.#fold(session);
      if ((inbox.ok && inbox.value.length > 0) || wantsDriver(this.#plain, state)) names.push(session);
    }
    this.#looked = { key, names };
    return names;
  }

  /** The newest state of a session; each event is folded once. */
  async #fold(session: string): Promise<State> {
    let state = this.#folds.get(session) ?? this.#plain.initial(session);
    const events = await this.#world.store.read(session, { from: state.kernel.seq + 1 });
    for (const stored of events.ok ? events.value : [])
      state = this.#plain.reduce(state, unwrap(this.#plain.decode(session, stored)));
    this.#folds.set(session, state);
    return state;
  }

  async #work(brain: SimBrain): Promise<void> {
    const { dice } = this.#world;
    while (!this.#world.finished) {
      await brain.life.clock.sleep(dice.int(50, this.#world.storming ? 1_500 : 300));
      const session = await this.#pick();
      if (session !== undefined) void brain.drive(session);
    }
  }

  /** In the storm people also start what needs nothing; in calm weather only what needs it is driven. */
  async #pick(): Promise<string | undefined> {
    const { dice, storming } = this.#world;
    if (storming && dice.chance(0.1)) return dice.pick(this.sessions);
    const wakeable = storming && dice.chance(0.6) ? await this.#world.store.wakeable() : null;
    const names =
      wakeable?.ok === true ? wakeable.value.filter((name) => this.sessions.includes(name)) : await this.unfinished();
    const free = names.filter((name) => !this.#isDriven(name));
    return free.length === 0 ? undefined : dice.pick(free);
  }

  #isDriven(session: string): boolean {
    return this.brains.some(({ life }) => life.alive && !life.frozen && life.drives.has(session));
  }
}

/** Whether a session is not at rest: something should be in flight that is more than waiting for a person. */
function wantsDriver(composition: Composition, state: State): boolean {
  const { kernel } = state;
  const { want, end } = decide(composition.rules, state);
  if (end !== null) return true;
  if (!kernel.run.active) return want.length > 0;
  const begun = composition.parts.flatMap((part) => part.begun?.(state) ?? []);
  const active = [...want, ...begun].filter(({ kind }) => kind !== "person" && kind !== "timer");
  if (active.length > 0) return true;
  return !kernel.paused && !want.some(({ kind }) => kind === "person");
}
