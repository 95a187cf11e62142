import type { ErrorCode } from "../../errors.ts";
import type { SessionSettings } from "../../session/index.ts";
import type { Dice } from "../dice.ts";
import type { ModelFault } from "../faulty-model.ts";
import type { StoreFault } from "../faulty-store.ts";
import type { ToolFault } from "../faulty-tools.ts";

type Chances<Fault extends string> = Readonly<Partial<Record<Fault, number>>>;

/** What kind of world a seed is. */
export interface Plan {
  /** Processes that drive sessions. */
  readonly processes: number;
  readonly sessions: number;
  /** Milliseconds of faults, commands and people before it grows calm. */
  readonly storm: number;
  readonly store: Chances<StoreFault>;
  readonly model: Chances<ModelFault>;
  /** Codes of a model's errors; absent: of every kind. */
  readonly modelErrors?: readonly ErrorCode[];
  readonly tools: Chances<ToolFault>;
  /** Mean milliseconds between two of a kind; absent: never. */
  readonly gaps: {
    readonly crash?: number;
    readonly freeze?: number;
    readonly clockStep?: number;
    readonly fork?: number;
    readonly steal?: number;
    readonly snapshot?: number;
    readonly command: number;
  };
  /** Turns after which a model thinks of ending. */
  readonly turns: number;
}

/** Rolls the plan of a world. */
export function rollPlan(dice: Dice): Plan {
  const level = () =>
    dice.weigh<number>([
      [2, 0],
      [3, 1],
      [1, 4],
    ]);
  const [store, model, tools] = [level(), level(), level()];
  // A provider that is down: what it says may go away, and does not.
  const down = dice.chance(0.12);
  const gap = (chance: number, from: number, to: number) => (dice.chance(chance) ? dice.int(from, to) : undefined);
  const gaps = {
    crash: gap(0.7, 3_000, 30_000),
    freeze: gap(0.5, 8_000, 40_000),
    clockStep: gap(0.3, 5_000, 40_000),
    fork: gap(0.3, 10_000, 40_000),
    steal: gap(0.25, 5_000, 40_000),
    snapshot: gap(0.3, 2_000, 20_000),
  };
  return {
    processes: dice.int(2, 3),
    sessions: dice.weigh([
      [3, 1],
      [3, 2],
      [1, 3],
    ]),
    storm: dice.int(10_000, 60_000),
    store: {
      "commit-fails": 0.002 * store,
      "answer-lost": 0.002 * store,
      "read-fails": 0.002 * store,
      "commit-delayed": 0.02 * store,
      "notice-doubled": 0.1 * store,
      "crash-before-commit": 0.008 * store,
      "crash-after-commit": 0.008 * store,
    },
    ...(down && { modelErrors: ["model_overloaded", "model_unreachable"] }),
    model: {
      error: down ? 0.6 : 0.05 * model,
      cut: 0.02 * model,
      stall: 0.01 * model,
      "deaf-stall": 0.01 * model,
      drip: 0.03 * model,
      "done-twice": 0.02 * model,
      throw: 0.01 * model,
    },
    tools: {
      throw: 0.01 * tools,
      "throw-after": 0.01 * tools,
      hang: 0.01 * tools,
      timeout: 0.01 * tools,
      deaf: 0.04 * tools,
      "crash-before-effect": 0.02 * tools,
      "crash-after-effect": 0.02 * tools,
    },
    gaps: { ...dropAbsent(gaps), command: dice.int(1_500, 12_000) },
    turns: dice.int(1, 8),
  };
}

function dropAbsent<T extends Readonly<Record<string, number | undefined>>>(gaps: T): { [K in keyof T]?: number } {
  const kept: { [K in keyof T]?: number } = {};
  for (const key in gaps) {
    const value = gaps[key];
    if (value !== undefined) kept[key] = value;
  }
  return kept;
}

/** Rolls what a session is made with. */
export function rollSettings(dice: Dice): SessionSettings {
  const limits = {
    ...(dice.chance(0.2) && { maxTurns: dice.int(1, 6) }),
    ...(dice.chance(0.15) && { maxModelCalls: dice.int(1, 10) }),
    ...(dice.chance(0.2) && { maxTime: dice.int(2_000, 60_000) }),
    ...(dice.chance(0.15) && { minTokens: dice.int(100, 1_500) }),
    ...(dice.chance(0.1) && { maxTokens: dice.int(300, 3_000) }),
  };
  return {
    models: dice.weigh<readonly string[]>([
      [3, ["first"]],
      [2, ["first", "second"]],
      [1, ["first", "second", "third"]],
    ]),
    folder: "/world",
    rules: { allow: [], deny: [] },
    limits,
    durability: dice.pick(["normal", "strict"]),
    ask: dice.chance(0.8) ? "wait" : "deny",
    linear: dice.chance(0.2),
    ...(dice.chance(0.3) && { parallel: dice.int(1, 3) }),
    ...(dice.chance(0.15) && {
      goal: { text: "grow", keywords: [], metric: "size", target: dice.int(1, 6), deadlineTurns: dice.int(1, 6) },
    }),
  };
}
