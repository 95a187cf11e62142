export { isStoreAt } from "./is-store-at.ts";
export { openSqliteStore } from "./open-sqlite-store.ts";
export { currentOwner, livenessOf } from "./owner.ts";
export type { SqliteOptions } from "./sqlite-options.ts";
