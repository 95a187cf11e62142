import type { Runner } from "../../session/part.ts";

/** Waits for a person; the answer comes by the inbox and makes the effect unwanted. */
export const person: Runner = { start: () => ({}) };
