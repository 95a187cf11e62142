/** The door to the one part of `testing` that the root of the package offers: through the other one each start would load the simulation. */
export {
  createScriptedModel,
  type ScriptedMessage,
  type ScriptedModel,
  type ScriptedStep,
} from "./testing/scripted-model.ts";
