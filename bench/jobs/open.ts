/** Opens a session of a store that is there, and says what it took and from where. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { answer, cpuSince, jobInput } from "../job.ts";
import { reinAgent } from "../peers/rein-agent.ts";
import { stubModel } from "../peers/stub-model.ts";

/** What this job takes. */
export interface OpenInput {
  readonly folder: string;
  readonly session: string;
  /** Takes the snapshot away first. */
  readonly cold: boolean;
}

/** What it gives. */
export interface OpenOutput {
  /** What the part `session_opened` says. */
  readonly how: string;
  readonly read: number;
  /** Milliseconds of CPU until that part came. */
  readonly cpu: number;
  /** Milliseconds of wall clock. */
  readonly wall: number;
}

const { folder, session, cold } = jobInput<OpenInput>();
if (cold) forgetSnapshots();
const agent = reinAgent(stubModel(1), folder);
await agent.store();
const started = process.cpuUsage();
const startedAt = performance.now();
for await (const part of agent.resume(session)) {
  if (part.type !== "session_opened") continue;
  answer<OpenOutput>({
    how: part.how,
    read: part.events,
    cpu: cpuSince(started) / 1_000,
    wall: performance.now() - startedAt,
  });
  break;
}
await agent.close();

function forgetSnapshots(): void {
  const db = new DatabaseSync(join(folder, "rein.db"));
  db.exec("DELETE FROM snapshot");
  db.close();
}
