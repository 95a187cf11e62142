/**
 * One life of the scripted task: `life.worker.ts FOLDER LIFE POINT MARK`. Starts the session or goes on with it, asks once more at the end so that everything is in a
 * last request, and writes how that went into `end.json`; unless the point (JSON, or `null`) comes first.
 */
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Commit, createAgent, createScriptedModel, type Store, unwrap } from "rein";
import { openSqliteStore } from "rein/store";
import { lines, note } from "../shared/json-lines.ts";
import { markedProcesses } from "../shared/marked-processes.ts";
import { KillSwitch } from "./kill-switch.ts";
import type { Closing, LifeEnd, Ticks } from "./records.ts";
import { ALLOW, FOLLOW_UP, nextStep, TASK, TICKS, taskTools } from "./task.ts";

const [folder = "", life = "1", point = "null", mark = ""] = process.argv.slice(2);
const work = join(folder, "work");
const files = {
  work,
  told: join(folder, "told.jsonl"),
  requests: join(folder, "requests.jsonl"),
  streamed: join(folder, "streamed.jsonl"),
};
const kill = new KillSwitch(JSON.parse(point), Number(life), files);

/** When a call is about to be closed as unknown: who is still alive, and how much they have written. */
function noteClosings({ appends = [] }: Commit): void {
  for (const { type, data } of appends.flatMap(({ events }) => events)) {
    if (type !== "tool.finished") continue;
    const { call, outcome } = JSON.parse(data);
    if (outcome !== "unknown") continue;
    const alive = markedProcesses(mark, [process.pid]);
    note(join(folder, "closings.jsonl"), { call, alive, ticks: ticks() } satisfies Closing);
  }
}

function ticks(): Ticks {
  const sizeOf = (name: string): number => statSync(join(work, name), { throwIfNoEntry: false })?.size ?? 0;
  return Object.fromEntries(
    Object.values(TICKS)
      .flat()
      .map((name) => [name, sizeOf(name)]),
  );
}

async function exists(store: Store): Promise<boolean> {
  return (unwrap(await store.head("s"))?.seq ?? 0) > 0;
}

async function inputs(store: Store): Promise<number> {
  return unwrap(await store.read("s")).filter(({ type }) => type === "input.received").length;
}

const store = unwrap(await openSqliteStore({ path: join(folder, "sessions.db") }));
const agent = createAgent({
  model: kill.model(createScriptedModel(nextStep, { record: false })),
  store: kill.store(store, noteClosings),
  folder: work,
  tools: taskTools(work, { note: (name, side) => kill.note(name, side) }),
  allow: ALLOW,
});
const runs = [await ((await exists(store)) ? agent.resume("s").finish() : agent.complete(TASK, { session: "s" }))];
// An earlier life may have died behind this question.
if ((await inputs(store)) < 2) runs.push(await agent.complete(FOLLOW_UP, { session: "s" }));
const wrote = ticks();
// Whoever still writes has the time to show it.
await new Promise((resolve) => setTimeout(resolve, 200));
const verified = unwrap(await store.verify());
const end: LifeEnd = {
  reasons: runs.map(({ reason }) => reason),
  journal: lines(join(work, "journal")),
  alive: markedProcesses(mark, [process.pid]).map(({ command }) => command),
  ticks: { before: wrote, after: ticks() },
  findings: verified.findings.map(({ message }) => message),
};
writeFileSync(join(folder, "end.json"), JSON.stringify(end));
await agent.close();
unwrap(await store.close());
