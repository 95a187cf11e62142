/** A store that fails on purpose, for tests of whatever stands on one. */
import { type ErrorCode, fail, type Result } from "../errors.ts";
import type { Clock } from "../ports.ts";
import type { Commit, Store, StoreChange } from "../session/store.ts";
import { diceOf } from "./dice.ts";
import { type StoreMethod, wrapStore } from "./wrap-store.ts";

/** What can go wrong with a store; `onFault` is told these. */
export type StoreFault =
  | "commit-fails"
  | "answer-lost"
  | "read-fails"
  | "commit-delayed"
  | "notice-doubled"
  | "crash-before-commit"
  | "crash-after-commit";

/** Which faults, and how often. */
export interface StoreFaults {
  /** Numbers from 0 to 1; a seeded source makes the faults repeatable. */
  readonly random: () => number;
  readonly clock: Pick<Clock, "sleep">;
  /** Commits, counted from 1, that do nothing and fail with this code. */
  readonly failCommits?: Readonly<Record<number, ErrorCode>>;
  /** Probability of each fault, by its name; absent is 0. Looked at with every call, so it may change. */
  readonly chances?: Readonly<Partial<Record<StoreFault, number>>>;
  /** Codes of commits and reads that fail by chance; default `store_busy`, `store_full`, `store_io`. */
  readonly codes?: readonly ErrorCode[];
  /** Most milliseconds a commit is held up; default 200. Those behind it wait for it. */
  readonly longestDelay?: number;
  /** Ends the process; must never resolve. Without it nothing crashes. */
  readonly crash?: (where: "before-commit" | "after-commit") => Promise<never>;
  /** Told of each fault that really happened. */
  readonly onFault?: (fault: StoreFault) => void;
}

const CODES: readonly ErrorCode[] = ["store_busy", "store_full", "store_io"];
const READS: ReadonlySet<StoreMethod> = new Set(["read", "head", "session", "inbox", "blob", "scratch", "snapshot"]);
const LONGEST_DELAY = 200;

/** Wraps a store. A commit that fails by chance did nothing; one whose answer is lost was done and says `store_io`. */
export function createFaultyStore(store: Store, faults: StoreFaults): Store {
  const dice = diceOf(faults.random);
  const codes = faults.codes ?? CODES;
  let commits = 0;
  let line: Promise<void> | null = null;

  const strikes = (fault: StoreFault): boolean => {
    const chance = faults.chances?.[fault] ?? 0;
    if (chance === 0 || !dice.chance(chance)) return false;
    faults.onFault?.(fault);
    return true;
  };

  const hold = async (): Promise<void> => {
    await line;
    if (!strikes("commit-delayed")) return;
    const held = faults.clock.sleep(dice.int(1, faults.longestDelay ?? LONGEST_DELAY));
    line = held;
    await held;
    if (line === held) line = null;
  };

  async function commit<T>(run: () => Promise<Result<T>>): Promise<Result<T>> {
    commits += 1;
    const told = faults.failCommits?.[commits];
    if (told !== undefined) faults.onFault?.("commit-fails");
    if (told !== undefined) return broken(told);
    await hold();
    if (faults.crash !== undefined && strikes("crash-before-commit")) return faults.crash("before-commit");
    if (strikes("commit-fails")) return broken(dice.pick(codes));
    const done = await run();
    if (faults.crash !== undefined && strikes("crash-after-commit")) return faults.crash("after-commit");
    if (done.ok && strikes("answer-lost")) return broken("store_io");
    return done;
  }

  return wrapStore(store, {
    around: async <T>(method: StoreMethod, run: () => Promise<Result<T>>, unit?: Commit): Promise<Result<T>> => {
      if (unit !== undefined) return commit(run);
      if (READS.has(method) && strikes("read-fails")) return broken(dice.pick(codes));
      return run();
    },
    watch: (listener) =>
      store.watch((change: StoreChange) => {
        listener(change);
        if (strikes("notice-doubled")) listener(change);
      }),
  });
}

function broken(code: ErrorCode): Result<never> {
  return fail(code, `The faulty store says ${code}.`, "It was told to; see its options.");
}
