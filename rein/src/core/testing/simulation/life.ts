import type { Clock } from "../../ports.ts";
import type { Owner } from "../../session/index.ts";
import { createVirtualClock, type VirtualClock } from "../virtual-clock.ts";
import type { World } from "./world.ts";

/**
 * One life of a process that drives sessions. Everything it does to the outside passes {@link Life.pass}: a dead one gets no
 * further than that, a frozen one (garbage collection, a stopped machine) goes on later as if nothing had happened.
 */
export class Life {
  readonly name: string;
  readonly owner: Owner;
  /** Its own clocks: the wall is off by some skew, and no sleep ends while it is frozen or dead. */
  readonly clock: Clock;
  /** Sessions it is driving. */
  readonly drives = new Set<string>();
  readonly #world: World;
  readonly #wall: VirtualClock;
  readonly #farewells: (() => void)[] = [];
  #alive = true;
  #thaw: PromiseWithResolvers<void> | null = null;

  constructor(world: World, name: string, host: string) {
    this.name = name;
    this.#world = world;
    const pid = world.nextId();
    this.owner = { host, bootId: "1", pidNamespace: "1", pid, startTime: "1" };
    const skew = world.dice.int(-5_000, 5_000);
    this.#wall = createVirtualClock({
      timeline: world.timeline,
      seed: world.dice.int(1, 2 ** 31),
      start: world.store.now() + skew,
    });
    this.clock = {
      now: () => this.#wall.now(),
      monotonic: () => this.#wall.monotonic(),
      random: () => this.#wall.random(),
      id: () => `${name}-${world.nextId()}`,
      sleep: (ms, signal) => this.#sleep(ms, signal),
    };
  }

  get alive(): boolean {
    return this.#alive;
  }

  get frozen(): boolean {
    return this.#thaw !== null;
  }

  /** Nothing to wait for: undefined. Frozen: until it is over. Dead: for ever. */
  pass(): Promise<void> | undefined {
    if (!this.#alive) return new Promise(() => undefined);
    return this.#thaw === null ? undefined : this.#wait(this.#thaw.promise);
  }

  /** Dies at once, as by `kill -9`: whatever it was in the middle of never goes on. */
  die(why: string): void {
    if (!this.#alive) return;
    this.#alive = false;
    this.#world.count(`crash ${why}`);
    this.#world.tell(this.name, () => `dies: ${why}`);
    this.#world.noteDeath(this.name, this.owner);
    for (const farewell of this.#farewells) farewell();
  }

  /** Dies and never answers. */
  crash(why: string): Promise<never> {
    this.die(why);
    return new Promise(() => undefined);
  }

  /** Calls back at its death, at once when that has been. */
  onDeath(farewell: () => void): void {
    if (this.#alive) this.#farewells.push(farewell);
    else farewell();
  }

  /** Stands still. */
  freeze(): void {
    this.#thaw ??= Promise.withResolvers();
  }

  thaw(): void {
    this.#thaw?.resolve();
    this.#thaw = null;
  }

  stepClock(ms: number): void {
    this.#wall.step(ms);
  }

  async #wait(thawed: Promise<void>): Promise<void> {
    await thawed;
    await this.pass();
  }

  async #sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await this.#world.timeline.sleep(ms, signal);
    await this.pass();
  }
}
