export { openSqliteStore } from "./open-sqlite-store.ts";
export { currentOwner } from "./owner.ts";
export type { SqliteOptions } from "./sqlite-options.ts";
