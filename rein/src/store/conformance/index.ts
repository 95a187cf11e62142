export { storeConformance } from "./store-conformance.ts";
export type { ConformanceOptions, Harm, StoreCheck, StoreUnderTest } from "./types.ts";
