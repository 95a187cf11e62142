export { createScriptedModel, type ScriptedMessage, type ScriptedModel, type ScriptedStep } from "./scripted-model.ts";
