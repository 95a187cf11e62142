export { openSqliteStore, type SqliteOptions } from "./open.ts";
export { currentOwner } from "./owner.ts";
