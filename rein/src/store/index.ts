export { createMemoryStore, type MemoryStoreOptions } from "./memory.ts";
export { currentOwner, openSqliteStore, type SqliteOptions } from "./sqlite/index.ts";
