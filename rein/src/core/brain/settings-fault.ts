import { isJsonObject, type JsonValue, own } from "../json.ts";
import type { Limits, SettingsChange } from "../session/kernel-events.ts";

/** What may be changed, and what is wrong with a value for it. */
const FAULTS: Readonly<Record<keyof SettingsChange, (value: JsonValue) => string | null>> = {
  models: (value) => (isTexts(value) && value.length > 0 ? null : "Its models are no list of names."),
  limits: limitsFault,
  rules: (value) =>
    isJsonObject(value) && isTexts(own(value, "allow")) && isTexts(own(value, "deny"))
      ? null
      : "Its rules are no lists `allow` and `deny`.",
  ask: (value) => (value === "deny" || value === "wait" ? null : "Its ask is neither deny nor wait."),
};

const LIMITS: Readonly<Record<keyof Limits, true>> = {
  maxTurns: true,
  maxModelCalls: true,
  maxTokens: true,
  maxCost: true,
  maxTime: true,
  minTokens: true,
};

/** What is wrong with a change of settings from outside; null when nothing is. */
export function settingsFault(change: unknown): string | null {
  if (!isJsonObject(change)) return "Its change is no object.";
  for (const [name, value] of Object.entries(change)) {
    const check = own(FAULTS, name);
    if (check === undefined) return `The setting "${name}" cannot be changed.`;
    const fault = check(value);
    if (fault !== null) return fault;
  }
  return null;
}

/** Whether it is a change of settings. */
export function isSettingsChange(change: unknown): change is SettingsChange {
  return isJsonObject(change) && settingsFault(change) === null;
}

function limitsFault(value: JsonValue): string | null {
  if (!isJsonObject(value)) return "Its limits are no object.";
  for (const [name, limit] of Object.entries(value)) {
    if (!Object.hasOwn(LIMITS, name)) return `There is no limit "${name}".`;
    if (typeof limit !== "number" || !Number.isFinite(limit) || limit < 0)
      return `Its limit ${name} is no number of at least 0.`;
  }
  return null;
}

function isTexts(value: JsonValue | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}
