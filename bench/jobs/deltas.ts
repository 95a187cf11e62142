/** One long message in many deltas, handed to a caller who reads each: through `agent.run`, or through the yardstick. */
import { rmSync } from "node:fs";
import { answer, cpuSince, jobFolder, jobInput } from "../job.ts";
import { bareLoop } from "../peers/bare-loop.ts";
import { reinAgent } from "../peers/rein-agent.ts";
import { stubModel } from "../peers/stub-model.ts";

/** What this job takes. */
export interface DeltasInput {
  readonly who: "rein" | "bare";
  readonly deltas: number;
}

/** What it gives. */
export interface DeltasOutput {
  /** Microseconds of CPU a delta. */
  readonly perDelta: number;
}

const { who, deltas } = jobInput<DeltasInput>();
const folder = jobFolder();
const model = stubModel(1, { text: "some ".repeat(deltas) });
const agent = who === "rein" ? reinAgent(model, folder) : null;

async function message(): Promise<number> {
  let read = 0;
  const parts = agent === null ? bareLoop(model, "Go.", null) : agent.run("Go.");
  for await (const part of parts) if (part.type === "text_delta") read += 1;
  return read;
}

// Twice: the first message is for loading and compiling.
await message();
const started = process.cpuUsage();
const read = await message();
const perDelta = cpuSince(started) / deltas;
if (read !== deltas) throw new Error(`${read} deltas came of ${deltas}.`);
await agent?.close();
rmSync(folder, { recursive: true, force: true });
answer<DeltasOutput>({ perDelta });
