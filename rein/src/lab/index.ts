/** The lab: models and measures to rehearse with, above the agent. */
export * from "./rehearsal/index.ts";
