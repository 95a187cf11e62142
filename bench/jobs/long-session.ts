/** Makes a session of many events in a store that stays, with a snapshot, and events behind the snapshot. */
import { answer, jobInput } from "../job.ts";
import { reinAgent } from "../peers/rein-agent.ts";
import { stubModel } from "../peers/stub-model.ts";

/** What this job takes. */
export interface LongSessionInput {
  readonly folder: string;
  readonly turns: number;
  readonly characters: number;
  /** Turns behind the snapshot. */
  readonly tail: number;
}

/** What it gives. */
export interface LongSessionOutput {
  readonly session: string;
  readonly events: number;
}

const { folder, turns, characters, tail } = jobInput<LongSessionInput>();
const model = stubModel(turns, { text: "x".repeat(characters), piece: characters });
const agent = reinAgent(model, folder);
const { session } = await agent.complete("Go.");
model.turns = turns + tail;
await agent.complete("Go on.", { session });
const { kernel } = await agent.state(session);
await agent.close();
answer<LongSessionOutput>({ session, events: kernel.seq });
