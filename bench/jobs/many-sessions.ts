/** Many sessions in one process, side by side, each with its log in one file. Gives the most memory they took. */
import { rmSync } from "node:fs";
import { answer, jobFolder, jobInput } from "../job.ts";
import { reinAgent } from "../peers/rein-agent.ts";
import { stubModel } from "../peers/stub-model.ts";

/** What this job takes. */
export interface ManySessionsInput {
  readonly sessions: number;
  readonly turns: number;
  /** Sessions that run at the same time. */
  readonly atOnce: number;
}

/** What it gives. */
export interface ManySessionsOutput {
  /** Most resident memory, megabytes. */
  readonly peak: number;
}

const { sessions, turns, atOnce } = jobInput<ManySessionsInput>();
const folder = jobFolder();
const agent = reinAgent(stubModel(turns), folder);
let next = 0;
const worker = async (): Promise<void> => {
  for (; next < sessions; ) {
    next += 1;
    const { reason } = await agent.complete("Go.");
    if (reason !== "done") throw new Error(`A session ended with ${reason}.`);
  }
};
await Promise.all(Array.from({ length: atOnce }, worker));
await agent.close();
rmSync(folder, { recursive: true, force: true });
answer<ManySessionsOutput>({ peak: process.resourceUsage().maxRSS / 1024 });
