import type { Command } from "commander";
import { createAgent, createScriptedModel } from "rein";
import type { CommandContext } from "../command-context.ts";
import { existingStorePath } from "../open-store.ts";
import { newSessionId, wholeNumber } from "../option-values.ts";

interface Flags {
  readonly at?: number;
  readonly as?: string;
}

/** `rein fork SESSION`: a session that has the events of another up to a place, and goes its own way from there. */
export function defineFork(command: Command, context: CommandContext): void {
  command
    .argument("<session>", "Id of the session.")
    .option("--at <seq>", "Last event that the fork has (default: the newest).", wholeNumber(1))
    .option("--as <id>", "Id of the fork (default: a new one).", newSessionId)
    .action((session: string, flags: Flags) => fork(context, session, flags));
}

async function fork(context: CommandContext, parent: string, flags: Flags): Promise<void> {
  const agent = createAgent({ model: createScriptedModel([]), store: { path: existingStorePath(context) } });
  try {
    const place = flags.at === undefined ? {} : { seq: flags.at };
    const id = flags.as === undefined ? {} : { session: flags.as };
    const { session, seq } = await agent.fork(parent, { ...place, ...id });
    context.output.note(`Forked: ${seq} events. To give it a task: ${context.typed(`run --session ${session} "…"`)}`);
    context.output.text(`${session}\n`);
  } finally {
    await agent.close();
  }
}
