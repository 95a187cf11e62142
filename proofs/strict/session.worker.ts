/**
 * A session under a durability, to be traced: `session.worker.ts FOLDER DURABILITY TURNS`. Writes a line to the file `marks` when a commit begins and
 * ends, and each effect writes its own, so that a trace of system calls shows what came when.
 */
import { openSync, writeSync } from "node:fs";
import { join } from "node:path";
import {
  type Commit,
  createAgent,
  createScriptedModel,
  type Durability,
  type Model,
  tool,
  toolFailure,
  unwrap,
} from "rein";
import { openSqliteStore } from "rein/store";
import { aroundStore } from "../shared/around-store.ts";
import { intentsOf } from "./intents-of.ts";

const [folder = "", durability = "strict", turns = "1"] = process.argv.slice(2);
const marks = openSync(join(folder, "marks"), "a");
const mark = (line: string): void => void writeSync(marks, `${line}\n`);

/** Half of the results are long, so that the WAL is moved into the database more than once. */
const LONG = "a line of some length\n".repeat(1_300);

const scripted = createScriptedModel(({ trace: { turn } }) => {
  if (turn > Number(turns)) return { text: "Done." };
  const calls = [
    { name: "note", input: { text: `a${turn}` } },
    { name: "note", input: { text: `b${turn}` } },
  ];
  return {
    calls:
      turn % 5 === 0
        ? [...calls, { name: "command", input: { line: 'read -r call; echo "effect process $call" >> marks' } }]
        : calls,
  };
});
const model: Model = {
  id: scripted.id,
  capabilities: (name) => scripted.capabilities(name),
  stream(request, signal) {
    mark(`effect model ${request.trace.turn}.${request.trace.attempt}`);
    return scripted.stream(request, signal);
  },
};
const note = tool({
  name: "note",
  description: "Keeps a note.",
  access: "public",
  input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  effects: ({ text }) => [{ kind: "state", what: text }],
  run: ({ text }, { call }) => {
    mark(`effect call ${call}`);
    return text.startsWith("a") ? LONG : "Noted.";
  },
});
const command = tool({
  name: "command",
  description: "Runs a command that is told which call it belongs to.",
  access: "trusted",
  input: { type: "object", properties: { line: { type: "string" } }, required: ["line"] },
  effects: ({ line }, scope) => [{ kind: "execute", command: line, cwd: scope.folder }],
  run: async ({ line }, { call, hands }) => {
    mark(`effect call ${call}`);
    const ran = await hands.execute(line, { stdin: `${call}\n` });
    return ran.ok ? `exit code ${ran.value.exitCode}` : toolFailure(ran.error);
  },
});

const store = unwrap(await openSqliteStore({ path: join(folder, "sessions.db") }));
let count = 0;
const traced = aroundStore(store, {
  commit: async (commit: Commit) => {
    count += 1;
    const n = count;
    mark(["begin", n, commit.durability ?? "normal", ...intentsOf(commit)].join("\t"));
    const committed = await store.commit(commit);
    mark(`end\t${n}`);
    return committed;
  },
});
const chosen: Durability = durability === "strict" ? "strict" : "normal";
const agent = createAgent({
  model,
  store: traced,
  folder,
  builtin: [],
  tools: [note, command],
  allow: ["note", "command"],
  durability: chosen,
});
const { reason, error } = await agent.complete("Keep notes.", { session: "s" });
if (reason !== "done") throw new Error(`It ended as ${reason}: ${error?.message}`);
await agent.close();
mark("close");
unwrap(await store.close());
mark("closed");
