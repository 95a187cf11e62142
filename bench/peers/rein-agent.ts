import { join } from "node:path";
import { type Agent, createAgent, type Model, tool } from "rein";
import { NOOP, NOOP_RESULT } from "./stub-model.ts";

/** The agent that is measured: one own tool that does nothing, behind the gate like any other. With a folder its log is on the disk. */
export function reinAgent(model: Model, folder: string | null): Agent {
  const noop = tool({
    name: NOOP,
    description: "Does nothing.",
    input: { type: "object", properties: { n: { type: "number" } } },
    access: "public",
    effects: () => [],
    run: async () => NOOP_RESULT,
  });
  return createAgent({
    model,
    tools: [noop],
    builtin: [],
    allow: [NOOP],
    limits: {},
    env: {},
    ...(folder === null
      ? { durability: "memory" }
      : { store: { path: join(folder, "rein.db") }, durability: "normal" }),
  });
}
