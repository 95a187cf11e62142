/**
 * Something that is there already or will be. Judging a call goes through here: where nobody has to be waited for it is
 * over at once, and its outcome needs no commit of its own.
 */
export type Maybe<T> = T | Promise<T>;

/** Goes on with a value, at once if it is there. */
export function after<T, U>(value: Maybe<T>, next: (value: T) => Maybe<U>): Maybe<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** What became of something that may throw or reject. */
export type Settled<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly thrown: unknown };

/** Runs foreign code; whatever it throws or rejects with is a value. */
export function settled<T>(run: () => Maybe<T>): Maybe<Settled<T>> {
  try {
    const value = run();
    return value instanceof Promise
      ? value.then(
          (later): Settled<T> => ({ ok: true, value: later }),
          (thrown: unknown): Settled<T> => ({ ok: false, thrown }),
        )
      : { ok: true, value };
  } catch (thrown) {
    return { ok: false, thrown };
  }
}
