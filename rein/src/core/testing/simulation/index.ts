export { invariants } from "./invariants/index.ts";
export type { Invariant, Recording, SessionRecord } from "./recording.ts";
export { simulate, type SimulationOptions, type SimulationReport } from "./simulate.ts";
export type { CreateStore } from "./world.ts";
