export { openSqliteStore, type SqliteOptions } from "./open-sqlite-store.ts";
export { currentOwner } from "./owner.ts";
