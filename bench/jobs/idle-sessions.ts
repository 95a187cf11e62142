/** Sessions at rest: each was run, and its folded state is held in memory. Needs `--expose-gc`. */
import { rmSync } from "node:fs";
import type { State } from "rein";
import { answer, jobFolder, jobInput } from "../job.ts";
import { reinAgent } from "../peers/rein-agent.ts";
import { stubModel } from "../peers/stub-model.ts";

/** What this job takes. */
export interface IdleSessionsInput {
  readonly sessions: number;
  readonly turns: number;
}

/** What it gives. */
export interface IdleSessionsOutput {
  /** Bytes of heap a session. */
  readonly each: number;
}

const { sessions, turns } = jobInput<IdleSessionsInput>();
const folder = jobFolder();
const agent = reinAgent(stubModel(turns), folder);
// What is loaded and compiled with the first ones is not theirs.
const ids: string[] = [];
for (let made = 0; made < sessions; made += 1) ids.push((await agent.complete("Go.")).session);
const held: State[] = [await agent.state(ids[0] ?? "")];
const before = heap();
for (const id of ids.slice(1)) held.push(await agent.state(id));
const each = (heap() - before) / (held.length - 1);
await agent.close();
rmSync(folder, { recursive: true, force: true });
answer<IdleSessionsOutput>({ each });

function heap(): number {
  if (globalThis.gc === undefined) throw new Error("Start it with --expose-gc.");
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}
