export { invariants } from "./invariants/index.ts";
export type { Invariant, Recording, SessionRecord } from "./recording.ts";
export { type SimulationOptions, type SimulationReport, simulate } from "./simulate.ts";
export type { CreateStore } from "./world.ts";
