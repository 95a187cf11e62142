import type { Owner, Store } from "../../core/session/index.ts";

/** A fresh, empty store, with what the suite must be able to do to it. */
export interface StoreUnderTest {
  readonly store: Store;
  /** Sets the store's clock, milliseconds since 1970. The suite sets it first of all and also sets it back. */
  readonly setTime: (ms: number) => void;
  /** Five processes, all different, whose fate the store can or can't know. */
  readonly owners: {
    /** Lives. */
    readonly alive: Owner;
    /** Lives too. */
    readonly other: Owner;
    /** Has ended, in the store's own pid namespace. */
    readonly dead: Owner;
    /** Has ended, in the store's own pid namespace; another process has its pid now and another start time. */
    readonly reusedPid: Owner;
    /** Lies in another pid namespace: nobody here can say whether it lives. */
    readonly elsewhere: Owner;
  };
  /** Cleans up behind a check, whether or not the store was closed. */
  readonly dispose: () => Promise<void>;
}

/** An event to be harmed behind the store's back. */
export interface Harm {
  readonly stream: string;
  readonly seq: number;
  /** Change its data, its type or its time; or take away the append it came with. */
  readonly what: "data" | "type" | "at" | "append";
}

/** What only some stores can do; each adds checks to the suite. */
export interface ConformanceOptions {
  /** Closes the store and opens the same data again. */
  readonly reopen?: (under: StoreUnderTest) => Promise<Store>;
  /** Opens the same data once more, as another process would; `dispose` closes it. */
  readonly second?: (under: StoreUnderTest) => Promise<Store>;
  /** Harms what is stored and gives the store that must notice. */
  readonly tamper?: (under: StoreUnderTest, harm: Harm) => Promise<Store>;
  /** Runs of the test against a model, each with a store of its own. Default 50. */
  readonly modelRuns?: number;
  /** Milliseconds after which that test ends with what it has seen. Default 10,000. */
  readonly modelTime?: number;
}

/** One check of the suite. `run` makes its own store and throws an `AssertionError` when the store fails. */
export interface StoreCheck {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** A check as the suite's files write it. */
export interface Check {
  readonly name: string;
  readonly run: (under: StoreUnderTest) => Promise<void>;
}
