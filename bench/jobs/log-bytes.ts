/** What Rein writes of a turn: the bytes of the events of its two commits, and how the file of a session compares with all of them. */
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { answer, jobFolder, jobInput } from "../job.ts";
import type { TurnBytes } from "../peers/bare-log.ts";
import { reinAgent } from "../peers/rein-agent.ts";
import { type StubSpeech, stubModel } from "../peers/stub-model.ts";

/** What this job takes. */
export interface LogBytesInput {
  readonly turns: number;
  readonly speech?: StubSpeech;
}

/** What it gives. */
export interface LogBytesOutput extends TurnBytes {
  readonly events: number;
  /** Bytes of the data of all events and of the blobs they name. */
  readonly content: number;
  /** Bytes of the closed store: the database, head files and whatever else lies there. */
  readonly file: number;
}

/** Events committed right before a request leaves; all others of a turn come with the answer. */
const BEFORE_REQUEST = new Set(["tool.finished", "model.requested"]);

const { turns, speech } = jobInput<LogBytesInput>();
const folder = jobFolder();
const agent = reinAgent(stubModel(turns, speech), folder);
const { session } = await agent.complete("Go.");
const store = await agent.store();
let events = 0;
let content = 0;
let request = 0;
let answered = 0;
for (let from = 1; ; ) {
  const read = await store.read(session, { from, limit: 4_096 });
  if (!read.ok) throw new Error(read.error.message);
  if (read.value.length === 0) break;
  for (const { type, data } of read.value) {
    const bytes = Buffer.byteLength(data ?? "", "utf8");
    content += bytes;
    if (BEFORE_REQUEST.has(type)) request += bytes;
    else if (/^(model|call|tool)\./.test(type)) answered += bytes;
  }
  events += read.value.length;
  from += read.value.length;
}
const blobs = await store.blobs(session);
for (const hash of blobs.ok ? blobs.value : []) {
  const blob = await store.blob(hash);
  if (blob.ok) content += blob.value?.length ?? 0;
}
await agent.close();
const file = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
rmSync(folder, { recursive: true, force: true });
answer<LogBytesOutput>({
  request: Math.round(request / turns),
  answer: Math.round(answered / turns),
  events,
  content,
  file,
});
