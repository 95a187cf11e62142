export { createMemoryStore, type MemoryStoreOptions } from "./memory.ts";
export { currentOwner, isStoreAt, livenessOf, openSqliteStore, type SqliteOptions } from "./sqlite/index.ts";
