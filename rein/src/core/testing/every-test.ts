/**
 * Runs after every test of the suite (vitest's `setupFiles`): each session that a brain drove in it is folded and decided again.
 * A drive's last state must be that of its log, and every intent of the log must have been wanted; any difference fails the test.
 */
import { subscribe } from "node:diagnostics_channel";
import { afterEach } from "vitest";
import type { Composition, State, Store, StoredEvent } from "../session/index.ts";
import type { RecheckEnd } from "./recheck.ts";
import { innermostStore } from "./wrap-store.ts";

/** Milliseconds the check of one test may take; what is left then is said and left. */
const BUDGET = 2_000;
/** Events of one read. */
const PIECE = 1_000;

type Piece = readonly StoredEvent[] | null;

interface Driven {
  readonly session: string;
  readonly ends: RecheckEnd[];
  /** Asked for while its store closed. */
  read: readonly Promise<Piece>[] | null;
}

/** What the driver's channel carries. */
interface EndMessage {
  readonly store: Store;
  readonly composition: Composition;
  readonly state: State;
  readonly clean: boolean;
}

const driven = new Map<Store, Map<string, Driven>>();

subscribe("rein:brain:end", (message) => {
  if (!isEnd(message) || !message.clean) return;
  const { composition, state } = message;
  const { session } = state.kernel;
  const store = innermostStore(message.store);
  const sessions = driven.get(store) ?? new Map<string, Driven>();
  driven.set(store, sessions);
  const known = sessions.get(session) ?? { session, ends: [], read: null };
  sessions.set(session, known);
  known.ends.push({ composition, state });
});

// A closed store cannot be read any more; but its closing is told before, and what is asked for by then is still answered.
subscribe("rein:store:close", (message) => {
  if (typeof message !== "object" || message === null || !("store" in message)) return;
  const until = performance.now() + BUDGET;
  for (const [store, sessions] of driven) {
    if (store !== message.store) continue;
    for (const one of sessions.values()) one.read = [...reads(store, one, () => performance.now() < until)];
  }
});

afterEach(async () => {
  const all = [...driven].flatMap(([store, sessions]) => [...sessions.values()].map((one) => ({ store, one })));
  driven.clear();
  if (all.length === 0) return;
  // Only here: most tests drive nothing, and need not wait for the brain to be loaded.
  const { recheck } = await import("./recheck.ts");
  const faults: string[] = [];
  const until = performance.now() + BUDGET;
  const goOn = (): boolean => performance.now() < until;
  let left = 0;
  for (const { store, one } of all) {
    const { session, ends } = one;
    const looked = await recheck({ session, ends, goOn, pieces: inTurn(one.read ?? reads(store, one, goOn)) });
    faults.push(...looked.faults);
    if (!looked.whole && !goOn()) left += 1;
  }
  if (left > 0) {
    const what = `${left} of ${all.length} sessions of this test are too long to be folded and decided again in ${BUDGET} ms`;
    process.stderr.write(`every-test: ${what}\n`);
  }
  if (faults.length > 0)
    throw new Error(`Folded and decided again, it is not the same:\n${faults.slice(0, 10).join("\n")}`);
});

/** Reads the log piece by piece up to where the last drive ended; ends with null when time is up. */
function* reads(store: Store, { session, ends }: Driven, goOn: () => boolean): Generator<Promise<Piece>> {
  const last = Math.max(...ends.map(({ state }) => state.kernel.seq));
  for (let from = 1; from <= last; from += PIECE) {
    if (!goOn()) return yield Promise.resolve(null);
    // A session that was damaged or removed on purpose cannot be compared with anything.
    yield store
      .read(session, { from, to: Math.min(last, from + PIECE - 1) })
      .then((read) => (read.ok ? read.value : null));
  }
}

async function* inTurn(pieces: Iterable<Promise<Piece>>): AsyncGenerator<Piece> {
  for (const piece of pieces) yield await piece;
}

function isEnd(message: unknown): message is EndMessage {
  return (
    typeof message === "object" &&
    message !== null &&
    "store" in message &&
    "composition" in message &&
    "state" in message &&
    "clean" in message
  );
}
