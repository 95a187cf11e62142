export { createDice, type Dice, diceOf } from "./dice.ts";
export { createFaultyModel, type ModelFault, type ModelFaults } from "./faulty-model.ts";
export { createFaultyStore, type StoreFault, type StoreFaults } from "./faulty-store.ts";
export { createFaultyTools, type ToolFault, type ToolFaults } from "./faulty-tools.ts";
export { createRandom } from "./random.ts";
export { createScriptedModel, type ScriptedMessage, type ScriptedModel, type ScriptedStep } from "./scripted-model.ts";
export {
  type CreateStore,
  type Invariant,
  invariants,
  type Recording,
  type SessionRecord,
  type SimulationOptions,
  type SimulationReport,
  simulate,
} from "./simulation/index.ts";
export { Timeline } from "./timeline.ts";
export { createVirtualClock, type VirtualClock } from "./virtual-clock.ts";
export { innermostStore, type StoreMethod, type StoreWrapper, wrapStore } from "./wrap-store.ts";
