import { fail, ok, type Result } from "../../core/errors.ts";
import type { Reservation, Settlement } from "../../core/session/index.ts";

interface Scope {
  readonly spent: number;
  /** Open reservations, by key. */
  readonly open: ReadonlyMap<string, number>;
}

/** The scopes a commit changes, as they stand after it. */
export type CounterPlan = ReadonlyMap<string, Scope>;

const EMPTY: Scope = { spent: 0, open: new Map() };

/** What is reserved and spent, by scope. */
export class Counters {
  readonly #scopes = new Map<string, Scope>();

  get(scope: string): { readonly reserved: number; readonly spent: number } {
    const found = this.#scopes.get(scope) ?? EMPTY;
    return { reserved: reservedIn(found), spent: found.spent };
  }

  /** Works a commit's part out without doing it: first what it settles, then what it reserves. */
  plan(settle: readonly Settlement[], reserve: readonly Reservation[]): Result<CounterPlan> {
    const plan = new Map<string, Scope>();
    const scopeOf = (name: string): Scope => plan.get(name) ?? this.#scopes.get(name) ?? EMPTY;

    for (const { scope, key, actual } of settle) {
      const found = scopeOf(scope);
      if (!found.open.has(key)) {
        const message = `Nothing is reserved as ${JSON.stringify(key)} in ${JSON.stringify(scope)}.`;
        return fail("conflict", message, "It was settled before, or never reserved: read the counter.");
      }
      const open = new Map(found.open);
      open.delete(key);
      plan.set(scope, { spent: found.spent + actual, open });
    }
    for (const { scope, key, amount, limit } of reserve) {
      const found = scopeOf(scope);
      if (found.open.has(key)) {
        const message = `${JSON.stringify(key)} is reserved in ${JSON.stringify(scope)} already.`;
        return fail("conflict", message, "Settle it first, or give this reservation a key of its own.");
      }
      const reserved = reservedIn(found);
      if (reserved + found.spent + amount > limit) {
        const message = `${amount} does not fit into ${JSON.stringify(scope)}: ${found.spent} spent and ${reserved} reserved of ${limit}.`;
        return fail(
          "budget_refused",
          message,
          "Raise the limit, wait until reservations are settled, or ask for less.",
        );
      }
      plan.set(scope, { spent: found.spent, open: new Map(found.open).set(key, amount) });
    }
    return ok(plan);
  }

  apply(plan: CounterPlan): void {
    for (const [name, scope] of plan) this.#scopes.set(name, scope);
  }
}

function reservedIn(scope: Scope): number {
  let sum = 0;
  for (const amount of scope.open.values()) sum += amount;
  return sum;
}
