import type { Store } from "rein";

/** A store in which some methods are replaced; all others are those of the store itself. */
export function aroundStore(store: Store, methods: Partial<Store>): Store {
  return new Proxy(store, {
    get(target, key) {
      const own: unknown = Reflect.get(methods, key);
      if (own !== undefined) return own;
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
