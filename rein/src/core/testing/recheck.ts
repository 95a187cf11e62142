import type { Composition, State, StoredEvent } from "../session/index.ts";
import { IntentChecker } from "./unwanted-intents.ts";

/** A state that a drive ended with. */
export interface RecheckEnd {
  readonly composition: Composition;
  readonly state: State;
}

/** A log to be folded and decided again. */
export interface RecheckOptions {
  readonly session: string;
  /** Its events in order, in any number of pieces; null where the rest cannot be read. */
  readonly pieces: AsyncIterable<readonly StoredEvent[] | null>;
  /** The drives that ended cleanly, at least one. */
  readonly ends: readonly RecheckEnd[];
  /** Asked before each piece; false leaves the rest unchecked. */
  readonly goOn?: () => boolean;
}

/** What was found, a sentence each, and whether the whole log was looked at. */
export interface Recheck {
  readonly faults: readonly string[];
  readonly whole: boolean;
}

/**
 * Folds a log from its first event and decides again at each: every intent must have been wanted by the rules in the state before
 * it, and the state each drive ended with must be the state of the log at that place. A log with erased events is left alone:
 * what stood there decided too. So are the intents of one that was driven under different rules.
 */
export async function recheck({ session, pieces, ends, goOn = () => true }: RecheckOptions): Promise<Recheck> {
  const [first] = ends;
  if (first === undefined) return { faults: [], whole: true };
  const { composition } = first;
  const checker = ends.every((end) => sameRules(end.composition, composition)) ? new IntentChecker(composition) : null;
  const faults: string[] = [];
  let state = composition.initial(session);
  faults.push(...differences(ends, state));
  for await (const piece of pieces) {
    if (piece === null || !goOn()) return { faults, whole: false };
    for (const stored of piece) {
      if (stored.data === null) return { faults, whole: false };
      const event = composition.decode(session, stored);
      if (!event.ok) return { faults: [...faults, event.error.message], whole: false };
      const fault = checker?.check(state, event.value) ?? null;
      if (fault !== null) faults.push(fault);
      state = composition.reduce(state, event.value);
      faults.push(...differences(ends, state));
    }
  }
  for (const { state: ended } of ends) {
    if (ended.kernel.seq > state.kernel.seq)
      faults.push(`${session}: a drive ended at event ${ended.kernel.seq}; the log has ${state.kernel.seq}.`);
  }
  return { faults, whole: true };
}

function sameRules(one: Composition, other: Composition): boolean {
  return one.rules.length === other.rules.length && one.rules.every((rule, index) => rule === other.rules[index]);
}

function differences(ends: readonly RecheckEnd[], state: State): readonly string[] {
  const { seq, session } = state.kernel;
  const faults: string[] = [];
  for (const { state: ended, composition } of ends) {
    if (ended.kernel.seq !== seq || composition.version !== ends[0]?.composition.version) continue;
    const [was, is] = [JSON.stringify(ended), JSON.stringify(state)];
    if (was !== is)
      faults.push(
        `${session}: the state of the drive that ended at event ${seq} is not that of the log: ${partingOf(was, is)}.`,
      );
  }
  return faults;
}

/** Where two texts part. */
export function partingOf(one: string, other: string): string {
  let place = 0;
  while (place < one.length && one[place] === other[place]) place += 1;
  const from = Math.max(0, place - 40);
  return `…${one.slice(from, place + 40)}… against …${other.slice(from, place + 40)}…`;
}
