/**
 * One process, one loop: `rein`, `bare` or `pi`. First a few turns that load and compile what a loop needs, then the turns that count.
 * Prints the CPU time of the process for these, and at every `window` turns how much it was.
 */
import { rmSync } from "node:fs";
import { bareLoop } from "../peers/bare-loop.ts";
import { openBareLog, type TurnBytes } from "../peers/bare-log.ts";
import { stubModel } from "../peers/stub-model.ts";
import { finishJob, jobInput, jobFolder } from "../job.ts";
import { reinAgent } from "../peers/rein-agent.ts";

/** What this job takes. */
export interface LoopInput {
  readonly who: "rein" | "bare" | "pi";
  readonly turns: number;
  /** Turns before those that count. */
  readonly warmUp: number;
  /** Null: no log on a disk. */
  readonly bytes: TurnBytes | null;
  /** Turns between two looks at the clock; 0 for none. */
  readonly window: number;
}

/** What it gives. */
export interface LoopOutput {
  /** Microseconds of CPU a turn. */
  readonly perTurn: number;
  /** CPU in microseconds since the start, at each window's end. */
  readonly marks: readonly number[];
  /** Most resident memory, megabytes. */
  readonly peak: number;
}

const input = jobInput<LoopInput>();
const folder = jobFolder();
const marks: number[] = [];
let startedAt = process.cpuUsage();
let turns = 0;
let counting = false;

function turnEnded(): void {
  turns += 1;
  if (!counting || input.window === 0 || turns % input.window !== 0) return;
  marks.push(since());
}

function since(): number {
  const { user, system } = process.cpuUsage(startedAt);
  return user + system;
}

const run = await prepare();
await run.turns(input.warmUp);
turns = 0;
counting = true;
startedAt = process.cpuUsage();
await run.turns(input.turns);
await run.close();
const perTurn = since() / input.turns;
rmSync(folder, { recursive: true, force: true });
finishJob<LoopOutput>({ perTurn, marks, peak: process.resourceUsage().maxRSS / 1024 });

async function prepare(): Promise<{ turns: (count: number) => Promise<void>; close: () => Promise<void> }> {
  switch (input.who) {
    case "rein": {
      const model = stubModel(0);
      const agent = reinAgent(model, input.bytes === null ? null : folder);
      return {
        turns: async (count) => {
          model.turns = count;
          for await (const part of agent.run("Go.")) if (part.type === "turn_end") turnEnded();
        },
        close: () => agent.close(),
      };
    }
    case "bare": {
      const log = input.bytes === null ? null : openBareLog(folder, input.bytes);
      const model = stubModel(0);
      return {
        turns: async (count) => {
          model.turns = count;
          for await (const part of bareLoop(model, "Go.", log?.log ?? null)) if (part.type === "done") turnEnded();
        },
        close: async () => log?.close(),
      };
    }
    case "pi": {
      const { piLoop } = await import("../peers/pi-loop.ts");
      return { turns: (count) => piLoop(count, "Go."), close: async () => undefined };
    }
  }
}
