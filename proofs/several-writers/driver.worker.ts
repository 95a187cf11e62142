/** Drives the session until somebody takes it: `driver.worker.ts FOLDER`. Leaves how that ended in `driver-end.json`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createAgent, createScriptedModel, type Model, tool } from "rein";
import { note } from "../shared/json-lines.ts";
import { type EffectNote, FILES, nextStep, SESSION, TASK } from "./plan.ts";

const [folder = ""] = process.argv.slice(2);
const scripted = createScriptedModel(nextStep, { record: false });
const model: Model = {
  id: scripted.id,
  capabilities: (name) => scripted.capabilities(name),
  stream(request, signal) {
    note(join(folder, FILES.requests), request);
    return scripted.stream(request, signal);
  },
};
const look = tool({
  name: "look",
  description: "Looks at something.",
  access: "public",
  input: { type: "object", properties: { at: { type: "string" } }, required: ["at"] },
  effects: () => [],
  readOnly: () => true,
  run: ({ at }) => `Saw ${at}.`,
});
const keep = tool({
  name: "keep",
  description: "Keeps an entry; somebody is asked about each.",
  access: "public",
  input: { type: "object", properties: { entry: { type: "string" } }, required: ["entry"] },
  effects: ({ entry }) => [{ kind: "state", what: `entry ${entry}` }],
  ask: () => "Each entry is asked about.",
  run: async ({ entry }, { call }) => {
    note(join(folder, FILES.effects), { call } satisfies EffectNote);
    await sleep(10);
    return `Kept ${entry}.`;
  },
});
const agent = createAgent({
  model,
  store: { path: join(folder, FILES.store) },
  folder,
  builtin: [],
  tools: [look, keep],
  ask: "wait",
});
const { reason, error } = await agent.run(TASK, { session: SESSION, stay: true }).finish();
writeFileSync(join(folder, FILES.driverEnd), JSON.stringify({ reason, code: error?.code ?? null }));
await agent.close();
