/**
 * A session that fills its disk: `filling.worker.ts STORE WORK INPUT`. Each turn keeps an entry outside and gets a long result; without an input it goes
 * on with the session. Prints how the run ended.
 */
import { hash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { createAgent, createScriptedModel, tool } from "rein";
import { note } from "../shared/json-lines.ts";
import { requestFaults } from "../shared/request-faults.ts";
import type { Asked } from "./asked.ts";

const [path = "", work = "", input = ""] = process.argv.slice(2);
const TURNS = 150;

const model = createScriptedModel(
  (request) => {
    const [head = "", ...messages] = [request.tools, ...request.messages].map((part) =>
      hash("sha1", JSON.stringify(part)),
    );
    note(join(work, "asked.jsonl"), { head, messages, faults: requestFaults(request) } satisfies Asked);
    const turn = request.messages.filter(({ role }) => role === "tool").length + 1;
    return turn > TURNS ? { text: "Done." } : { calls: [{ name: "keep", input: { entry: `${turn}` } }] };
  },
  { record: false },
);
const keep = tool({
  name: "keep",
  description: "Keeps an entry.",
  access: "public",
  input: { type: "object", properties: { entry: { type: "string" } }, required: ["entry"] },
  effects: ({ entry }) => [{ kind: "state", what: entry }],
  run: ({ entry }) => {
    note(join(work, "kept.jsonl"), entry);
    // Nothing that gets smaller by being packed.
    return randomBytes(6_000).toString("hex");
  },
});
const agent = createAgent({ model, store: { path }, folder: work, builtin: [], tools: [keep], limits: {} });
const { reason, error } = await (input === "" ? agent.resume("s").finish() : agent.complete(input, { session: "s" }));
process.stdout.write(JSON.stringify({ reason, error: error ?? null }));
// A disk that is still full cannot take the end of the store either; what was committed stays.
await agent.close();
